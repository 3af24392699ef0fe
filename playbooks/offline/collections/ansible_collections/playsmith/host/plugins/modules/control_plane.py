#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: control_plane
short_description: Waits for the control plane of this host, stops or starts it, or takes it out of service
version_added: 0.1.0
description:
  - Knows etcd and the API server as kubeadm sets them up, as static pods of the kubelet with containerd below.
options:
  state:
    description:
      - V(healthy) changes nothing, and waits until O(components) answer.
      - V(stopped) stops the kubelet, and then every component. V(started) starts the kubelet, which starts the rest.
      - V(retired) hands the lead of etcd over to another member and removes the API server, so that whoever balances the
        API goes elsewhere; etcd goes on.
    type: str
    choices: [healthy, stopped, started, retired]
    default: healthy
  components:
    description: Which of them have to answer.
    type: list
    elements: str
    choices: [etcd, api]
    default: [etcd, api]
  seconds:
    description: How long they are waited for.
    type: int
    default: 0
  required:
    description: Whether the module fails where one of them does not answer in time.
    type: bool
    default: true
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
"""

EXAMPLES = r"""
- name: Wait until etcd and the API server answer
  playsmith.host.control_plane:
    state: healthy
    seconds: 120
"""

RETURN = r"""
done: {description: "What was changed, or would be in check mode, one line each.", type: list, elements: str, returned: success}
problems: {description: "Which component does not answer, one line each.", type: list, elements: str, returned: success}
"""

import os
import signal

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils import control_plane, etcd
from ansible_collections.playsmith.host.plugins.module_utils.host import said
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure, answer, patiently, run


def health(given):
    found: list[str] = []

    def is_healthy():
        asked = given["components"]
        found[:] = control_plane.silent(asked) + (control_plane.idle() if "api" in asked else [])
        return not found

    if not patiently(given["seconds"], is_healthy) and given["required"]:
        raise Failure(", ".join(found))
    return False, [], {"problems": found}


def hand_over():
    """Where the leader is taken out, what was just asked of it is lost, and nobody answers until another one leads."""
    try:
        status = etcd.ask("/v3/maintenance/status", {})
        own = status["header"]["member_id"]
        others = [member for member in etcd.members() if member["ID"] != own and member.get("name")]
    except (OSError, ValueError, KeyError, Failure):
        return []
    for member in others if status.get("leader") == own else []:
        try:
            etcd.ask("/v3/maintenance/transfer-leadership", {"targetID": member["ID"]})
        except (OSError, ValueError):
            continue
        return ["handed the lead of etcd over to %s" % member["name"]]
    return []


def retire(dry):
    if dry:
        return ["remove the API server"] if control_plane.has("kube-apiserver") else []
    done = hand_over() if control_plane.has("etcd") else []
    if not control_plane.has("kube-apiserver"):
        return done
    os.unlink(control_plane.MANIFESTS + "kube-apiserver.yaml")
    for number in (signal.SIGTERM, signal.SIGKILL):
        if not patiently(20, lambda: control_plane.is_stopped("kube-apiserver")):
            control_plane.stop("kube-apiserver", number)
    return done + ["removed the API server"]


def stop(dry):
    if not dry:
        control_plane.stop_all()
    return ["stopped the control plane"]


def start(dry):
    if said("systemctl", "is-active", "kubelet") == "active":
        return []
    if not dry:
        run("systemctl", "start", "kubelet")
    return ["started the kubelet"]


def settle(given, dry):
    if given["state"] == "healthy":
        return health(given)
    done = {"stopped": stop, "started": start, "retired": retire}[given["state"]](dry)
    return bool(done), done, {"problems": []}


def main():
    module = AnsibleModule(
        argument_spec={
            "state": {"type": "str", "choices": ["healthy", "stopped", "started", "retired"], "default": "healthy"},
            "components": {"type": "list", "elements": "str", "choices": ["etcd", "api"], "default": ["etcd", "api"]},
            "seconds": {"type": "int", "default": 0},
            "required": {"type": "bool", "default": True},
        },
        supports_check_mode=True,
    )
    answer(module, lambda: settle(module.params, module.check_mode))


if __name__ == "__main__":
    main()
