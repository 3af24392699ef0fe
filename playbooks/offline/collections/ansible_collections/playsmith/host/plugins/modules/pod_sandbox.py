#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: pod_sandbox
short_description: Checks that containerd starts containers
version_added: 0.1.0
description:
  - Waits until containerd serves the kubelet, then lets it start the sandbox of a pod in the network of the host, and removes it.
  - It answers with settings with which it starts no container as well, and pods that run already do not show it.
options:
  seconds:
    description: How long containerd may take until it serves, and then until the sandbox runs.
    type: int
    default: 60
author: Playsmith
attributes:
  check_mode:
    support: full
    details: Starts nothing, and fails for nothing.
  diff_mode: {support: none}
"""

EXAMPLES = r"""
- name: Check that containerd starts containers
  playsmith.host.pod_sandbox:
"""

RETURN = r"""
tried: {description: "Whether a sandbox was started, and removed; not in check mode.", type: bool, returned: success}
"""

import json
import os
import re
import subprocess
import tempfile
import time

from ansible.module_utils.basic import AnsibleModule

ENDPOINT = "unix:///run/containerd/containerd.sock"
NAME = "playsmith-check"
SANDBOX = {
    "metadata": {"name": NAME, "namespace": "playsmith", "uid": NAME, "attempt": 1},
    # Below a slice, as the kubelet's are. In the network of the node: whether pods have one of their own is another question.
    "linux": {"cgroup_parent": "system.slice", "security_context": {"namespace_options": {"network": 2}}},
}
SEARCH = os.environ.get("PATH", "") + ":/usr/local/bin"


def crictl(seconds, *words):
    """Status, output and errors of the program by which a person asks containerd."""
    told = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
    argv = ["crictl", "--config=/dev/null", "--runtime-endpoint=" + ENDPOINT, "--timeout=%ds" % seconds, *words]
    done = subprocess.run(argv, check=False, text=True, env={**os.environ, "PATH": SEARCH}, **told)
    return done.returncode, done.stdout.strip(), done.stderr.strip()


def remove(seconds):
    """What an interrupted run left as well: there is no second sandbox of this name."""
    for sandbox in crictl(seconds, "pods", "--quiet", "--namespace=playsmith", "--name=" + NAME)[1].split():
        crictl(seconds, "rmp", "--force", sandbox)


def reason(text):
    """What is told of the cause: crictl puts it into a line of its log."""
    told = re.split(r'desc = |level=fatal msg="', text)[-1]
    return told.replace('\\"', '"').strip().strip('"') or "crictl says nothing"


def served(seconds):
    """The reason why containerd does not serve yet; none once it does."""
    end = time.monotonic() + seconds
    while True:
        status, _, errors = crictl(seconds, "info")
        if status == 0 or time.monotonic() > end:
            return "" if status == 0 else reason(errors)
        time.sleep(1)


def started(seconds):
    """The reason why no sandbox starts; none where one did."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(SANDBOX, file)
        file.flush()
        status, _, errors = crictl(seconds, "runp", file.name)
    return "" if status == 0 else reason(errors)


def problem(seconds):
    silent = served(seconds)
    if silent:
        return "containerd does not serve the kubelet: %s: journalctl --unit containerd" % silent
    remove(seconds)
    try:
        why = started(seconds)
    finally:
        remove(seconds)
    return why and "containerd starts no container: %s: put its settings right, and run this again" % why


def main():
    module = AnsibleModule(argument_spec={"seconds": {"type": "int", "default": 60}}, supports_check_mode=True)
    seconds = module.params["seconds"]
    try:
        found = "" if module.check_mode else problem(seconds)
    except OSError as error:
        found = "crictl: %s" % error
    if found:
        module.fail_json(msg=found)
    module.exit_json(changed=False, tried=not module.check_mode)


if __name__ == "__main__":
    main()
