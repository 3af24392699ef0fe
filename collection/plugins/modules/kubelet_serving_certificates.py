#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: kubelet_serving_certificates
short_description: Approves what kubelets of the inventory ask for, and checks what they serve with
version_added: 0.1.0
description:
  - With C(serverTLSBootstrap) a kubelet asks the cluster for the certificate that it serves with, when it starts and again after
    about nine months. The controller manager signs it, and approves none of them.
  - Approves a request exactly when the node that asks is one of O(nodes), the certificate would be for this node, and every name and
    address in it is the node's own. What anybody else asks for is left as it is, and told.
  - Runs on a control plane. A host that is none, or none yet, is left alone.
options:
  state:
    description:
      - V(approved) approves, and waits until the nodes serve with certificates of the cluster. In check mode it tells what it would
        approve.
      - V(served) changes nothing and fails where a node does not serve with one. In check mode it fails for nothing, and is C(changed)
        where something is wrong, with a line each in the difference.
    type: str
    choices: [approved, served]
    required: true
  nodes:
    description: The addresses of each node of the cluster, by its name; the first one is where its kubelet is asked.
    type: dict
    required: true
  meant:
    description: Nodes that are checked and waited for, as far as they are registered and their kubelets tell of themselves.
    type: list
    elements: str
    required: true
  seconds:
    description: How long a kubelet may take until it serves.
    type: int
    default: 120
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
"""

EXAMPLES = r"""
- name: Approve the serving certificates of kubelets
  playsmith.host.kubelet_serving_certificates:
    state: approved
    nodes: {master01: [192.0.2.11], worker01: [192.0.2.21, "2001:db8::21"]}
    meant: [master01, worker01]
"""

RETURN = r"""
done: {description: "What was approved, or would be in check mode, one line each.", type: list, elements: str, returned: success}
notices:
  description: Requests that were not approved, with the reason; and renewals that wait.
  type: list
  elements: str
  returned: success
"""

import os
import time

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import CONFIG, Failure, again, answer, kubectl
from ansible_collections.playsmith.host.plugins.module_utils.live_cluster import items
from ansible_collections.playsmith.host.plugins.module_utils.serving_requests import fault, node_of, objection, pending

# Below so many days somebody should know: the kubelet has asked for another one long before.
DAYS = 30
RENEW = "npx task rotate-certificates"


def judged(nodes):
    """Those that are approved, and why the others are not."""
    requests = [(each, objection(each, nodes)) for each in pending()]
    says = "the request %s of %s is not approved: %s"
    refused = [says % (each["metadata"]["name"], each["spec"].get("username"), why) for each, why in requests if why]
    return [each for each, why in requests if not why], sorted(refused)


def telling(meant):
    """Those that are nodes, and whose kubelets tell how they are."""
    for node in items("nodes"):
        states = [each["status"] for each in node["status"].get("conditions", []) if each["type"] == "Ready"]
        if node["metadata"]["name"] in meant and "Unknown" not in states:
            yield node["metadata"]["name"]


def faults(given):
    """Node to what is wrong with what its kubelet serves with, and to the days that are left."""
    return {name: fault(given["nodes"][name][0]) for name in telling(given["meant"])}


def unserved(given):
    says = "the kubelet of %s does not serve with a certificate of the cluster: %s"
    return [says % (name, why) for name, (why, _) in sorted(faults(given).items()) if why]


def approve(requests):
    for each in requests:
        words = ("certificate", "approve", each["metadata"]["name"])
        again(60, lambda words=words: kubectl(*words))
        yield "approved %s of %s" % (each["metadata"]["name"], node_of(each))


def approved(given):
    """A kubelet that has just started asks some seconds later, and serves some seconds after it was approved."""
    done: list[str] = []
    end = time.monotonic() + given["seconds"]
    while True:
        asked, refused = judged(given["nodes"])
        done += approve(asked)
        lacking = unserved(given)
        if not lacking:
            return bool(done), done, {"notices": refused}
        if time.monotonic() > end:
            raise Failure("; ".join([*lacking, *refused]))
        time.sleep(2)


def would_approve(given):
    done = ["would approve %s of %s" % (each["metadata"]["name"], node_of(each)) for each in judged(given["nodes"])[0]]
    return bool(done), done, {"notices": []}


def notices(given):
    asked, refused = judged(given["nodes"])
    says = "the kubelet of %s waits for the certificate that it has asked for: %s"
    return [*(says % (node_of(each), RENEW) for each in asked), *refused]


def ending(given):
    says = "the certificate that the kubelet of %s serves with ends in %d days: " + RENEW
    return [says % (name, days) for name, (why, days) in sorted(faults(given).items()) if not why and days < DAYS]


def served(given, dry):
    found = unserved(given)
    if dry:
        found = [*found, *ending(given), *notices(given)]
        return bool(found), found, {"notices": []}
    if found:
        raise Failure("; ".join([*found, *notices(given)]))
    return False, [], {"notices": [*ending(given), *notices(given)]}


def settle(given, dry):
    if not os.path.exists(CONFIG):
        return False, [], {"notices": []}
    if given["state"] == "served":
        return served(given, dry)
    return would_approve(given) if dry else approved(given)


def main():
    module = AnsibleModule(
        argument_spec={
            "state": {"type": "str", "choices": ["approved", "served"], "required": True},
            "nodes": {"type": "dict", "required": True},
            "meant": {"type": "list", "elements": "str", "required": True},
            "seconds": {"type": "int", "default": 120},
        },
        supports_check_mode=True,
    )
    answer(module, lambda: settle(module.params, module.check_mode))


if __name__ == "__main__":
    main()
