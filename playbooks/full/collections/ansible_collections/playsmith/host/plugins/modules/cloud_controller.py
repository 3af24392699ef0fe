#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: cloud_controller
short_description: Applies a cloud controller manager and its configuration, or waits until it has initialised nodes
version_added: 0.1.0
description:
  - A kubelet with C(--cloud-provider=external) registers its node with the taint C(node.cloudprovider.kubernetes.io/uninitialized). The
    controller takes it away once the cloud has told of the machine, and until then no usual pod starts there.
  - Runs on a control plane. A host that is none, or none yet, is left alone.
options:
  state:
    description:
      - V(applied) applies the objects on the server side, and waits for nothing. Pods of the controller are rolled out with another
        configuration, which they read when they start, as their template is marked with it.
      - V(initialised) waits until no node has the taint. In check mode it fails for nothing, and is C(changed) where one has it.
    type: str
    choices: [applied, initialised]
    required: true
  content:
    description: "A mapping in JSON, as Base64: C(objects) is what is applied."
    type: str
    default: ""
  configuration:
    description: The text of C(cloud.conf) in the Secret C(kube-system/cloud-config); empty, no Secret is made.
    type: str
    default: ""
  nodes:
    description: The nodes that are waited for, as far as they are registered.
    type: list
    elements: str
    default: []
  seconds:
    description: How long that may take.
    type: int
    default: 180
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
"""

EXAMPLES = r"""
- name: Wait until the cloud knows the nodes
  playsmith.host.cloud_controller:
    state: initialised
    nodes: [master01, worker01]
"""

RETURN = r"""
done: {description: "What was changed, or would be in check mode, one line each.", type: list, elements: str, returned: success}
"""

import base64
import hashlib
import json
import os

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.cnf_client import Client, changes
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import CONFIG, Failure, answer, patiently
from ansible_collections.playsmith.host.plugins.module_utils.live_cluster import items

TAINT = "node.cloudprovider.kubernetes.io/uninitialized"
MARK = "playsmith.dev/cloud-config"


def secret(configuration):
    """Nothing of it in an annotation, where whoever describes it would read it: it is applied on the server side."""
    data = {"cloud.conf": base64.b64encode(configuration.encode()).decode()}
    metadata = {"name": "cloud-config", "namespace": "kube-system"}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "type": "Opaque", "data": data}


def mark_of(kept, configuration):
    """Another one for another configuration. Who may not read the Secret does not know its UID, and can guess nothing by it."""
    for thing in kept.values():
        return hashlib.sha256((thing["metadata"]["uid"] + configuration).encode()).hexdigest()[:16]
    return None


def marked(thing, mark):
    """With another template of its pods Kubernetes rolls it out, whichever run was cut before."""
    if mark is None or thing["kind"] not in ("DaemonSet", "Deployment"):
        return thing
    template = thing["spec"]["template"]
    metadata = template.get("metadata") or {}
    annotations = {**(metadata.get("annotations") or {}), MARK: mark}
    return {
        **thing,
        "spec": {**thing["spec"], "template": {**template, "metadata": {**metadata, "annotations": annotations}}},
    }


def applied(given, dry):
    client = Client(CONFIG, "playsmith")
    objects = json.loads(base64.b64decode(given["content"]))["objects"]
    own = [secret(given["configuration"])] if given["configuration"] else []
    words = ("--force-conflicts", *(["--dry-run=server"] if dry else []))
    was, before = client.found(own), client.found(objects)
    kept = client.apply(own, *words)
    mark = mark_of(kept, given["configuration"])
    after = client.apply([marked(each, mark) for each in objects], *words)
    done = [*changes(was, kept), *changes(before, after)]
    return bool(done), done, {}


def waiting(names):
    """Those that the cloud has not told of yet."""
    return sorted(
        node["metadata"]["name"]
        for node in items("nodes")
        if node["metadata"]["name"] in names and any(taint["key"] == TAINT for taint in node["spec"].get("taints", []))
    )


def problem(names):
    says = "%s: no cloud controller has initialised the node, and no usual pod starts there. Its name has to be that of an instance, and its "
    says += "address one of that; see the logs of the controller in kube-system"
    return says % ", ".join(names)


def initialised(given, dry):
    left: list[str] = []

    def are_known():
        left[:] = waiting(given["nodes"])
        return not left

    well = patiently(0 if dry else given["seconds"], are_known, 2)
    if not well and not dry:
        raise Failure(problem(left))
    return not well, [] if well else [problem(left)], {}


def settle(given, dry):
    if not os.path.exists(CONFIG):
        return False, [], {}
    return applied(given, dry) if given["state"] == "applied" else initialised(given, dry)


def main():
    module = AnsibleModule(
        argument_spec={
            "state": {"type": "str", "choices": ["applied", "initialised"], "required": True},
            "content": {"type": "str", "default": ""},
            "configuration": {"type": "str", "default": "", "no_log": True},
            "nodes": {"type": "list", "elements": "str", "default": []},
            "seconds": {"type": "int", "default": 180},
        },
        supports_check_mode=True,
    )
    answer(module, lambda: settle(module.params, module.check_mode))


if __name__ == "__main__":
    main()
