#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: node_preflight
short_description: Says what an operation on nodes would do to their cluster, and fails where that would not survive it
version_added: 0.1.0
description:
  - Changes nothing.
options:
  state:
    description:
      - V(examined) reads which machine this host is, and what it holds of a cluster.
      - V(judged) asks the cluster from this control plane, which is none of the targets. Unless said otherwise, options are about that.
    type: str
    choices: [examined, judged]
    default: judged
  operation:
    description: What is done to the targets.
    type: str
    choices: [scale-out, scale-in, heal-node, replace-node]
  cluster:
    description: The name of the cluster.
    type: str
  targets:
    description: The address of each target.
    type: dict
  machines:
    description: What V(examined) said of each target; something else, where it does not respond.
    type: dict
  kubectl_host:
    description: The name of this control plane.
    type: str
  control_planes:
    description: All control planes of the definition.
    type: list
    elements: str
  workers:
    description: All workers of the definition.
    type: list
    elements: str
  port:
    description: The port of the API servers.
    type: int
    default: 6443
  servers:
    description: Where kubelets of this cluster look for it.
    type: list
    elements: str
    default: []
  minimum:
    description: How many workers that are ready must stay.
    type: int
    default: 1
  recreate:
    description: Whether a node that is healthy is recreated too.
    type: bool
    default: false
  despite:
    description: What pods may lose, V(local-data), V(bare-pods) or V(budgets).
    type: list
    elements: str
    default: []
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Read which machine it is, and what it holds of a cluster
  playsmith.host.node_preflight:
    state: examined
"""

RETURN = r"""
machine:
  description: The id of the machine; further C(server), C(named), C(ours), C(lacking) and C(traces) say what it holds of a cluster.
  type: str
  returned: when O(state=examined)
problems: {description: Why the operation is refused., type: list, elements: str, returned: failure}
notes: {description: What else a person should know., type: list, elements: str, returned: when O(state=judged)}
out:
  description: Targets that have to be taken out; those of them that hold something of this cluster are C(clean).
  type: list
  elements: str
  returned: when O(state=judged)
members: {description: The numbers of their members of etcd in hexadecimal., type: dict, returned: when O(state=judged)}
leave: {description: Machines that the rest of the run leaves alone., type: list, elements: str, returned: when O(state=judged)}
"""

import glob
import os

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.control_plane import lacking
from ansible_collections.playsmith.host.plugins.module_utils.host import first_match, read
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure
from ansible_collections.playsmith.host.plugins.module_utils.node_operation import Operation

ETC = "/etc/kubernetes/"


def examined():
    # Routes outlive what made them: they begin again with the host.
    ours = [name for name in ("applied", "unfinished", "network.json") if os.path.exists("/var/lib/playsmith/" + name)]
    left = ("manifests/*.yaml", "*.conf", "pki/*", "/var/lib/etcd/member", "/var/lib/kubelet/config.yaml")
    return {
        "machine": read("/etc/machine-id").strip(),
        "server": first_match(r"server:\s*(\S+)", read(ETC + "kubelet.conf") or read(ETC + "bootstrap-kubelet.conf")),
        "named": first_match(r'"?clusterName"?:\s*"?([^"\s]+)', read(ETC + "playsmith/kubeadm.yaml")),
        "ours": bool(ours),
        "lacking": lacking(ETC) if os.path.exists(ETC + "kubelet.conf") else [],
        "traces": bool(ours) or any(glob.glob(os.path.join(ETC, path)) for path in left),
    }


def main():
    names = {"type": "list", "elements": "str"}
    asked = ["operation", "cluster", "targets", "machines", "kubectl_host", "control_planes", "workers"]
    module = AnsibleModule(
        argument_spec={
            "state": {"type": "str", "choices": ["examined", "judged"], "default": "judged"},
            "operation": {"type": "str", "choices": ["scale-out", "scale-in", "heal-node", "replace-node"]},
            "cluster": {"type": "str"},
            "targets": {"type": "dict"},
            "machines": {"type": "dict"},
            "kubectl_host": {"type": "str"},
            "control_planes": names,
            "workers": names,
            "port": {"type": "int", "default": 6443},
            "servers": {**names, "default": []},
            "minimum": {"type": "int", "default": 1},
            "recreate": {"type": "bool", "default": False},
            "despite": {**names, "default": []},
        },
        required_if=[("state", "judged", asked)],
        supports_check_mode=True,
    )
    if module.params["state"] == "examined":
        module.exit_json(changed=False, **examined())
    try:
        problems, done = Operation(module.params).judged()
    except Failure as problem:
        problems, done = [str(problem)], {}
    if problems:
        module.fail_json(msg="; ".join(problems), problems=problems)
    module.exit_json(changed=False, **done)


if __name__ == "__main__":
    main()
