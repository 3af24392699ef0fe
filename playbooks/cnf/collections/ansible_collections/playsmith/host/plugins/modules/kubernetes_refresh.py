#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: kubernetes_refresh
short_description: Lets nothing of a cluster act on what it remembers, after its etcd went back to a snapshot
version_added: 0.1.0
description:
  - Removes nodes that the snapshot brings back and that are gone; nothing on them would ever start again.
  - Restarts what watches the API through a cache in the namespaces of the system, since it may have seen a future that no
    longer is. Controllers, schedulers and API servers have to have started after the snapshot was restored.
options:
  nodes:
    description: The nodes of the cluster; others are removed where they are not ready.
    type: list
    elements: str
    required: true
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
"""

EXAMPLES = r"""
- name: Restart what watches the API
  playsmith.host.kubernetes_refresh:
    nodes: [master01, worker01]
"""

RETURN = r"""
done: {description: "What was removed and restarted, one line each.", type: list, elements: str, returned: success}
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import (
    answer,
    find,
    get,
    is_ready,
    kubectl,
    patiently,
)

NAMESPACES = ("kube-system", "kube-flannel")


def is_gone(name):
    node = find("node", name)
    return node is None or not is_ready(node)


def remove_gone(nodes):
    for node in get("nodes")["items"]:
        name = node["metadata"]["name"]
        # The snapshot says that it was ready: Kubernetes finds out within a minute.
        if name not in nodes and patiently(90, lambda each=name: is_gone(each), 2):
            kubectl("delete", "node", name, "--wait=false", "--ignore-not-found")
            yield "removed the node " + name


def workloads():
    for namespace in NAMESPACES:
        for name in kubectl("get", "daemonsets,deployments", "--namespace", namespace, "--output", "name").split():
            yield namespace, name


def settle(nodes, dry):
    if dry:
        return True, ["restart what watches the API"], {}
    done = list(remove_gone(nodes))
    restarted = list(workloads())
    for namespace, name in restarted:
        kubectl("rollout", "restart", name, "--namespace", namespace)
    for namespace, name in restarted:
        kubectl("rollout", "status", name, "--namespace", namespace, "--timeout", "180s")
    return True, done + ["restarted %s in %s" % (name, namespace) for namespace, name in restarted], {}


def main():
    module = AnsibleModule(
        argument_spec={"nodes": {"type": "list", "elements": "str", "required": True}}, supports_check_mode=True
    )
    answer(module, lambda: settle(module.params["nodes"], module.check_mode))


if __name__ == "__main__":
    main()
