#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: kubernetes_node_marks
short_description: Gives nodes their labels and taints
version_added: 0.1.0
description:
  - What the module gave is written down in a ConfigMap of the cluster, so that what O(nodes) no longer says is removed, and
    what others gave is left alone.
options:
  nodes:
    description: By the name of each node its C(labels) and C(taints), each with C(key), C(effect) and perhaps C(value).
    type: dict
    required: true
  meant:
    description: Nodes that are marked; all of them, where it is empty.
    type: list
    elements: str
    default: []
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
"""

EXAMPLES = r"""
- name: Mark a worker
  playsmith.host.kubernetes_node_marks:
    nodes:
      worker01:
        labels: {node-role.kubernetes.io/worker: ""}
        taints: [{key: dedicated, value: cnf, effect: NoSchedule}]
"""

RETURN = r"""
done: {description: "What was changed, or would be, one line a node.", type: list, elements: str, returned: success}
"""

import json

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils import kubernetes


def named(taint):
    return taint["key"] + ":" + taint["effect"]


def labels(has, wants, own):
    gone = {key: None for key in own if key in has and key not in wants}
    return dict(gone, **{key: value for key, value in wants.items() if has.get(key) != value})


def taints(has, wants, own):
    names = {named(taint) for taint in wants}
    kept = [taint for taint in has if named(taint) not in names and named(taint) not in own]
    present = {named(taint): taint.get("value", "") for taint in has}
    same = all(present.get(named(taint)) == taint.get("value", "") for taint in wants)
    return None if same and len(kept) + len(wants) == len(has) else kept + wants


def marks_for(wants):
    return {"labels": sorted(wants["labels"]), "taints": sorted(map(named, wants["taints"]))}


def patch_of(node, wants, own):
    metadata, spec = node["metadata"], node["spec"]
    patch: dict = {"metadata": {}, "spec": {}}
    changed = labels(metadata.get("labels", {}), wants["labels"], own["labels"])
    if changed:
        patch["metadata"]["labels"] = changed
    tainted = taints(spec.get("taints", []), wants["taints"], own["taints"])
    if tainted is not None:
        patch["spec"]["taints"] = tainted
    return {part: said for part, said in patch.items() if said}


def note(own):
    data = {uid: json.dumps(marks) for uid, marks in own.items() if marks != kubernetes.UNMARKED}
    metadata = {"name": kubernetes.MARKS, "namespace": "kube-system"}
    thing = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}
    how = ("--server-side", "--force-conflicts", "--field-manager", "playsmith", "--filename", "-")
    kubernetes.kubectl("apply", *how, text=json.dumps(thing))


def mark(given, dry):
    nodes = {node["metadata"]["name"]: node for node in kubernetes.get("nodes")["items"]}
    there = {node["metadata"]["uid"] for node in nodes.values()}
    own = {uid: marks for uid, marks in kubernetes.marks().items() if uid in there}
    begun, ended, patches, done = dict(own), dict(own), {}, []
    for name, wants in sorted(given["nodes"].items()):
        if (given["meant"] and name not in given["meant"]) or (dry and name not in nodes):
            continue
        if name not in nodes:
            says = "%s is not registered as a node: systemctl restart kubelet there, or npx task run reset for it"
            raise kubernetes.Failure(says % name)
        uid = nodes[name]["metadata"]["uid"]
        was, marks = own.get(uid, kubernetes.UNMARKED), marks_for(wants)
        patches[name] = patch_of(nodes[name], wants, was)
        # What is cut in the middle may have given these, and not yet removed those.
        begun[uid], ended[uid] = {part: sorted({*was[part], *marks[part]}) for part in marks}, marks
        if patches[name] or was != marks:
            done.append("%s %s" % (name, json.dumps(dict(patches[name], noted=marks), sort_keys=True)))
    if done and not dry:
        note(begun)
        for name, patch in patches.items():
            if patch:
                kubernetes.kubectl("patch", "node", name, "--type", "merge", "--patch", json.dumps(patch))
        note(ended)
    return bool(done), done, {}


def main():
    module = AnsibleModule(
        argument_spec={
            "nodes": {"type": "dict", "required": True},
            "meant": {"type": "list", "elements": "str", "default": []},
        },
        supports_check_mode=True,
    )
    kubernetes.answer(module, lambda: mark(module.params, module.check_mode))


if __name__ == "__main__":
    main()
