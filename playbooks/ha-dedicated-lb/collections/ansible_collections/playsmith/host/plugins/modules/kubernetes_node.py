#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: kubernetes_node
short_description: Drains a node, puts it back into service, or removes it from the cluster
version_added: 0.1.0
description: Speaks with the cluster from one of its control planes.
options:
  name:
    description: The node.
    type: str
    required: true
  state:
    description:
      - V(drained) lets the node take no more pods, and moves those that it has elsewhere, as fast as disruption budgets
        allow. A node that cannot be drained in time goes back into service. One that is not ready has no pods that could
        move.
      - V(ready) waits until the node is ready, and puts it back into service where O(reason) took it out.
      - V(absent) removes O(members) from etcd, and the node from the cluster.
    type: str
    choices: [drained, ready, absent]
    required: true
  seconds:
    description: How long pods may take to leave the node, or the node to become ready.
    type: int
    default: 300
  reason:
    description: Is written into an annotation of a node that was in service, so that only that node comes back.
    type: str
    default: ""
  force:
    description: Whether pods without a controller, which nobody starts again, leave as well.
    type: bool
    default: false
  regardless:
    description: Whether a node that cannot be drained in time stays out of service; the rest of its pods end with it.
    type: bool
    default: false
  version:
    description: The version of the kubelet with which the node has to be ready.
    type: str
    default: ""
  members:
    description: Members of etcd, each by its number in hexadecimal, as one that never started has no name, or by its name.
    type: list
    elements: str
    default: []
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
"""

EXAMPLES = r"""
- name: Drain a node that leaves
  playsmith.host.kubernetes_node:
    name: worker01
    state: drained
    force: true
    seconds: 600
"""

RETURN = r"""
done: {description: "What was changed, or would be in check mode, one line each.", type: list, elements: str, returned: success}
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils import etcd
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import (
    CORDONED,
    Failure,
    again,
    answer,
    find,
    is_ready,
    kubectl,
    wait,
)


def marked(node):
    return bool(node["metadata"].get("annotations", {}).get(CORDONED))


def put_back(name):
    kubectl("uncordon", name)
    kubectl("annotate", "node", name, CORDONED + "-")


def cordon(name, node, reason):
    if node["spec"].get("unschedulable"):
        return
    if reason:
        kubectl("annotate", "node", name, "--overwrite", "%s=%s" % (CORDONED, reason))
    kubectl("cordon", name)


def drain(given, node, dry):
    name, seconds = given["name"], given["seconds"]
    if node is None:
        return []
    if dry:
        return ["drain " + name]
    was_out = node["spec"].get("unschedulable") and not marked(node)
    cordon(name, node, given["reason"])
    if not is_ready(node):
        return ["%s is not ready, and takes no more pods" % name]
    options = ["--ignore-daemonsets", "--delete-emptydir-data", "--timeout", "%ds" % seconds]
    try:
        kubectl("drain", name, *options, *(["--force"] if given["force"] else []))
    except Failure as problem:
        if given["regardless"]:
            return ["what could not leave %s ends with it" % name]
        if not was_out:
            put_back(name)
        says = "not everything could leave %s within %d s, see its pods and their disruption budgets: %s"
        raise Failure(says % (name, seconds, problem)) from problem
    return ["drained " + name]


def is_back(name, version):
    node = find("node", name)
    return node is not None and is_ready(node) and version in ("", node["status"]["nodeInfo"]["kubeletVersion"])


def ready(given, node, dry):
    name, version = given["name"], given["version"] and "v" + given["version"]
    if not dry:
        at = " at " + version if version else ""
        says = "%s is not ready%s, see journalctl --unit kubelet on it" % (name, at)
        wait(given["seconds"], lambda: is_back(name, version), says)
    if node is None or not marked(node):
        return []
    if not dry:
        # A control plane's own API server begins anew when its kubelet does.
        try:
            again(60, lambda: put_back(name))
        except Failure as problem:
            says = "%s is ready and cannot be put into service, see kubectl describe node %s: %s"
            raise Failure(says % (name, name, problem)) from problem
    return ["put %s back into service" % name]


def remove_members(meant, dry):
    done = []
    for member in etcd.members() if meant else []:
        number, name = "%x" % int(member["ID"]), member.get("name", "")
        if number not in meant and name not in meant:
            continue
        if not dry:
            etcd.remove(member)
        done.append("removed the member %s from etcd" % (name or number))
    return done


def absent(given, node, dry):
    name, done = given["name"], remove_members([each for each in given["members"] if each], dry)
    if node is None:
        return done
    if not dry:
        again(60, lambda: kubectl("delete", "node", name, "--ignore-not-found", "--timeout", "20s"))
    return [*done, "removed %s from the cluster" % name]


def settle(given, dry):
    node = again(60, lambda: find("node", given["name"]))
    done = {"drained": drain, "ready": ready, "absent": absent}[given["state"]](given, node, dry)
    return bool(done), done, {}


def main():
    module = AnsibleModule(
        argument_spec={
            "name": {"type": "str", "required": True},
            "state": {"type": "str", "choices": ["drained", "ready", "absent"], "required": True},
            "seconds": {"type": "int", "default": 300},
            "reason": {"type": "str", "default": ""},
            "force": {"type": "bool", "default": False},
            "regardless": {"type": "bool", "default": False},
            "version": {"type": "str", "default": ""},
            "members": {"type": "list", "elements": "str", "default": []},
        },
        supports_check_mode=True,
    )
    answer(module, lambda: settle(module.params, module.check_mode))


if __name__ == "__main__":
    main()
