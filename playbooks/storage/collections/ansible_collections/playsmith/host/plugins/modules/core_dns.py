#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: core_dns
short_description: Moves a pod of CoreDNS when all of them stand on one node and another would take one
version_added: 0.1.0
description:
  - The first node that is ready gets them all, and nothing moves them afterwards; without that node the cluster has no DNS.
  - One pod is deleted and its successor goes elsewhere, while the others serve.
options:
  seconds:
    description: How long pods without a node, and nodes that are not ready, are waited for.
    type: int
    default: 60
  wait:
    description: Whether it ends only when the successor is ready; what follows may wait for that itself.
    type: bool
    default: true
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
"""

EXAMPLES = r"""
- name: Spread CoreDNS over the nodes
  playsmith.host.core_dns:
"""

RETURN = r"""
done: {description: "Which pod left its node, or would in check mode.", type: list, elements: str, returned: success}
"""

import time

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.core_dns import are_settled, crowded, serving, staying
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure, answer, get, kubectl, wait

SYSTEM = ("--namespace", "kube-system")


def dns():
    return staying(get("pods", *SYSTEM, "--selector", "k8s-app=kube-dns")["items"])


def look(seconds):
    """The pods, the node on which all of them stand, and the others that would take one."""
    end = time.monotonic() + seconds
    while True:
        pods, nodes = dns(), get("nodes")["items"]
        place, others = crowded(pods, nodes)
        places = {pod["spec"].get("nodeName", "") for pod in pods} - {""}
        if others or are_settled(pods, nodes) or len(places) > 1 or time.monotonic() > end:
            return pods, place, others
        time.sleep(2)


def spread(seconds, awaits, dry):
    try:
        pods, place, others = look(seconds)
    except Failure:
        # In check mode there may be no cluster yet.
        if dry:
            return False, [], {}
        raise
    if not others:
        return False, [], {}
    name = max(pod["metadata"]["name"] for pod in pods)
    says = "%s leaves %s: all pods of CoreDNS stood there, and %s would take one"
    if not dry:
        # Its successor starts while it still serves those that know it.
        kubectl("delete", "pod", name, *SYSTEM, "--wait=false")
        late = "%s was deleted, and has no successor that is ready after three minutes: "
        hint = "kubectl --namespace kube-system describe pods -l k8s-app=kube-dns"
        if awaits:
            wait(180, lambda: len(serving(dns())) >= len(pods), late % name + hint)
    return True, [says % (name, place, ", ".join(others))], {}


def main():
    module = AnsibleModule(
        argument_spec={"seconds": {"type": "int", "default": 60}, "wait": {"type": "bool", "default": True}},
        supports_check_mode=True,
    )
    answer(module, lambda: spread(module.params["seconds"], module.params["wait"], module.check_mode))


if __name__ == "__main__":
    main()
