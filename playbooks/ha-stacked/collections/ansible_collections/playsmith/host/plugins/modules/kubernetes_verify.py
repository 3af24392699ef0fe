#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: kubernetes_verify
short_description: Checks a cluster as its users see it, and says everything that is wrong with it
version_added: 0.1.0
description:
  - Waits for two minutes at most for what comes by itself. Changes nothing that stays.
  - In check mode it starts nothing and fails for nothing. It is C(changed) where something is not as it was brought, with a line each
    in the difference; a host without a cluster is well.
options:
  scope:
    description:
      - V(node) looks at files, static pods and certificates of this node, in check mode alone.
      - V(control_plane) checks the files and the components of this control plane.
      - V(cluster) checks API servers, etcd, nodes and CoreDNS, and starts a pod on every node, one that does nothing.
      - V(pods) checks from inside of the pod of this node that it reaches O(targets).
      - V(end) removes those pods.
    type: str
    choices: [node, control_plane, cluster, pods, end]
    required: true
  name:
    description: The name of this node.
    type: str
    default: ""
  version:
    description: The version that every node runs.
    type: str
    default: ""
  nodes:
    description: All nodes of the cluster.
    type: list
    elements: str
    default: []
  meant:
    description: Nodes that are checked; all of them, where it is empty.
    type: list
    elements: str
    default: []
  control_planes:
    description: The address of each control plane.
    type: dict
    default: {}
  port:
    description: The port of their API servers.
    type: int
    default: 6443
  plugged:
    description: Whether pods have a network that the cluster brings.
    type: bool
    default: true
  image:
    description: The image of the pods, which every node has.
    type: str
    default: ""
  cordoned:
    description: Whether a node may be cordoned, which is then a notice.
    type: bool
    default: false
  targets:
    description: What is reached from inside, as O(scope=cluster) returns it.
    type: list
    elements: str
    default: []
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
"""

EXAMPLES = r"""
- name: Check this control plane
  playsmith.host.kubernetes_verify:
    scope: control_plane
    name: master01
"""

RETURN = r"""
notices: {description: What nobody has to mend now., type: list, elements: str, returned: success}
targets: {description: "Where pods, CoreDNS and Services are, for the checks from inside.", type: list, elements: str, returned: success}
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils import control_plane_node, pod_network, whole_cluster
from ansible_collections.playsmith.host.plugins.module_utils.drift import of_node, patiently_of_cluster
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure, answer, kubectl


def whole(given):
    cluster = whole_cluster.Cluster(given)
    problems, cordoned = cluster.problems(), cluster.cordoned()
    problems += [] if given["cordoned"] else cordoned
    if problems:
        raise Failure("; ".join(problems))
    if not given["plugged"]:
        return {"notices": cordoned, "targets": []}
    return {"notices": cordoned + whole_cluster.dns_on_one_node(), "targets": list(whole_cluster.targets())}


def examine(given):
    if given["scope"] == "cluster":
        return whole(given)
    if given["scope"] == "node":
        return {}
    if given["scope"] == "end":
        name = "daemonset/" + whole_cluster.POD
        kubectl("delete", name, "--namespace", "kube-system", "--ignore-not-found", "--wait=false")
        return {}
    if given["scope"] == "pods":
        problems = pod_network.reach(given["name"], given["targets"])
    else:
        found = control_plane_node.examine(given["name"])
        problems = ["%s: %s" % (given["name"], "; ".join(found))] if found else []
    if problems:
        raise Failure("; ".join(problems))
    return {}


def look(given):
    """Without a cluster, or with one that others look at, nothing differs."""
    if given["scope"] == "node":
        return of_node(given["name"])
    return patiently_of_cluster(whole_cluster.Cluster(given)) if given["scope"] == "cluster" else []


def main():
    module = AnsibleModule(
        argument_spec={
            "scope": {"type": "str", "choices": ["node", "control_plane", "cluster", "pods", "end"], "required": True},
            "name": {"type": "str", "default": ""},
            "version": {"type": "str", "default": ""},
            "nodes": {"type": "list", "elements": "str", "default": []},
            "meant": {"type": "list", "elements": "str", "default": []},
            "control_planes": {"type": "dict", "default": {}},
            "port": {"type": "int", "default": 6443},
            "plugged": {"type": "bool", "default": True},
            "image": {"type": "str", "default": ""},
            "cordoned": {"type": "bool", "default": False},
            "targets": {"type": "list", "elements": "str", "default": []},
        },
        supports_check_mode=True,
    )
    given = {"notices": [], "targets": []}
    if module.check_mode:
        found = look(module.params)
        module.exit_json(changed=bool(found), diff={"prepared": "\n".join(found)}, **given)
    answer(module, lambda: (False, [], {**given, **examine(module.params)}))


if __name__ == "__main__":
    main()
