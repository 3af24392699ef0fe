#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: drill_fault
short_description: Injects a fault into this host, which the host reverts by itself after a while, and reverts it before
version_added: 0.1.0
options:
  state:
    description:
      - V(injected) lets the host promise to revert it, whatever becomes of whoever asked, and then injects it. It is refused where a
        reboot would not revert it.
      - V(reverted) reverts it now. Where there is none, it does nothing.
    type: str
    choices: [injected, reverted]
    required: true
  fault:
    description: What is stopped; V(storage) cuts the way of a test volume.
    type: str
    choices: [haproxy, keepalived, control_plane, worker, storage]
  seconds:
    description: After how long the host reverts it by itself.
    type: int
    default: 120
author: Playsmith
attributes: {check_mode: {support: none}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Stop HAProxy for a while
  playsmith.host.drill_fault:
    state: injected
    fault: haproxy
    seconds: 60

- name: Start it again
  playsmith.host.drill_fault:
    state: reverted
"""

RETURN = r"""
reverted:
  description: For how many seconds the fault was C(held), and C(by) whom it was reverted, V(run) or V(host).
  type: dict
  returned: when O(state=reverted)
"""

import inspect
import os
import shutil
import signal

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils import control_plane, drill_revert
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure, run, works


def refuse(fault):
    """What a reboot would not revert."""
    if fault == "storage":
        if not os.path.exists(drill_revert.NAMESPACE):
            raise Failure("there is no test volume here")
    elif not works("systemctl", "is-enabled", "--quiet", drill_revert.SERVICES[fault]):
        raise Failure("%s would not start with the host" % drill_revert.SERVICES[fault])


def kill_containers():
    """As when the power goes: nothing is told to end. Nobody starts it again while the kubelet is stopped."""
    for task in (line.split() for line in run(*control_plane.CTR, "tasks", "list").splitlines()):
        if task[2:3] == ["RUNNING"]:
            control_plane.kill(int(task[1]), signal.SIGKILL)


def disturb(fault):
    if fault == "storage":
        run("ip", "-n", drill_revert.NETWORK, "link", "set", "lo", "down")
        return
    run("systemctl", "stop", drill_revert.SERVICES[fault])
    if fault == "control_plane":
        for component in reversed(control_plane.COMPONENTS):
            control_plane.stop(component, signal.SIGKILL)
    if fault == "worker":
        kill_containers()


def promise(seconds):
    program = drill_revert.path("revert.py")
    drill_revert.write("revert.py", inspect.getsource(drill_revert))
    works("systemctl", "reset-failed", drill_revert.UNIT + ".service")
    timer = ("--on-active", str(seconds), "--timer-property", "AccuracySec=1s")
    run("systemd-run", "--quiet", "--collect", "--unit", drill_revert.UNIT, *timer, "python3", program)
    if not works("systemctl", "is-active", "--quiet", drill_revert.UNIT + ".timer"):
        raise Failure("the host does not promise to revert the fault")


def inject(fault, seconds):
    if works("systemctl", "is-active", "--quiet", drill_revert.UNIT + ".timer"):
        raise Failure("a drill has not ended here yet")
    refuse(fault)
    shutil.rmtree(drill_revert.FOLDER, ignore_errors=True)
    os.makedirs(drill_revert.FOLDER, mode=0o700)
    promise(seconds)
    drill_revert.write("began", drill_revert.uptime())
    # From here on there is something to revert.
    drill_revert.write("fault", fault)
    disturb(fault)


def main():
    faults = [*drill_revert.SERVICES, "storage"]
    module = AnsibleModule(
        argument_spec={
            "state": {"type": "str", "choices": ["injected", "reverted"], "required": True},
            "fault": {"type": "str", "choices": faults},
            "seconds": {"type": "int", "default": 120},
        },
        required_if=[("state", "injected", ["fault"])],
    )
    try:
        if module.params["state"] == "injected":
            inject(module.params["fault"], module.params["seconds"])
            module.exit_json(changed=True)
        module.exit_json(changed=True, reverted=drill_revert.revert("run"))
    except (Failure, OSError) as problem:
        module.fail_json(msg=str(problem))


if __name__ == "__main__":
    main()
