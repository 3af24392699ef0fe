#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: persistent_volumes
short_description: Applies PersistentVolumes from a control plane, or deletes those that nobody claims
version_added: 0.1.0
description:
  - What leads to other files is never replaced; it fails, and says what a person can do.
  - In check mode, a control plane without a cluster yet needs nothing.
options:
  state:
    description:
      - V(present) applies O(volumes), and waits until each can be claimed, or is.
      - V(absent) deletes O(names). One that is claimed stays, and is a failure, since what uses it would lose it.
    type: str
    choices: [present, absent]
    default: present
  volumes:
    description: Their manifests.
    type: list
    elements: dict
    default: []
  names:
    description: Their names.
    type: list
    elements: str
    default: []
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
"""

EXAMPLES = r"""
- name: Delete a PersistentVolume that nobody claims
  playsmith.host.persistent_volumes:
    state: absent
    names: [pv1]
"""

RETURN = r"""
done: {description: "What was changed, or would be in check mode, one line each.", type: list, elements: str, returned: success}
hints: {description: What needs a decision., type: list, elements: str, returned: success}
"""

import json
import os
import time

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import (
    CONFIG,
    Failure,
    answer,
    find,
    get,
    kubectl,
)

SECONDS = 60


def current():
    """Every PersistentVolume of the cluster by its name."""
    return {item["metadata"]["name"]: item for item in get("persistentvolumes")["items"]}


def place(volume):
    nfs = volume["spec"].get("nfs") or {}
    return "%s:%s" % (nfs.get("server", ""), nfs.get("path", "")) if nfs else "something else than NFS"


def claim_of(volume):
    reference = volume["spec"].get("claimRef") or {}
    return "%s/%s" % (reference.get("namespace", ""), reference.get("name", "")) if reference else ""


def mode(volume):
    return volume["spec"].get("volumeMode", "Filesystem")


def obstacles(wanted, found):
    """What Kubernetes does not let anybody change."""
    for volume in wanted:
        name = volume["metadata"]["name"]
        there = found.get(name)
        if there is None or (place(there) == place(volume) and mode(there) == mode(volume)):
            continue
        claim = claim_of(there)
        first = "delete the pods and the claim %s, then " % claim if there["status"]["phase"] == "Bound" else ""
        yield (
            "%s leads to %s and shall lead to %s, and where a PersistentVolume leads never changes: "
            "%skubectl delete persistentvolume %s (its files stay), and run this again; or give the new one another name"
            % (name, place(there), place(volume), first, name)
        )


def applied(volumes, dry):
    """What the API server makes of them, by name."""
    if not volumes:
        return {}
    given = json.dumps({"apiVersion": "v1", "kind": "List", "items": volumes})
    how = ["--server-side", "--field-manager=playsmith", "--request-timeout=20s", "--output=json", "--filename=-"]
    try:
        found = json.loads(kubectl("apply", *how, *(["--dry-run=server"] if dry else []), text=given))
    except Failure as problem:
        # kubectl goes on with advice to take the fields from whoever manages them.
        raise Failure(" ".join(str(problem).split()).split(" Please review ")[0]) from problem
    items = found["items"] if found["kind"] == "List" else [found]
    return {item["metadata"]["name"]: item for item in items}


def comparable(volume):
    counted = ("managedFields", "resourceVersion")
    kept = {key: value for key, value in volume["metadata"].items() if key not in counted}
    return {"metadata": kept, "spec": volume["spec"]}


def changes(before, after):
    return sorted(name for name in after if name not in before or comparable(before[name]) != comparable(after[name]))


def unready(names):
    found = current()
    for name in names:
        phase = found[name]["status"].get("phase", "Pending") if name in found else "gone"
        if phase == "Released":
            says = "%s was released by the claim %s and holds its files still: look at them, then "
            way = 'kubectl patch persistentvolume %s --type=json --patch=\'[{"op":"remove","path":"/spec/claimRef"}]\''
            yield says % (name, claim_of(found[name])) + way % name
        elif phase not in ("Available", "Bound"):
            message = found[name]["status"].get("message", "") if name in found else ""
            yield "%s is %s %s" % (name, phase, message)


def wait(names):
    end = time.monotonic() + SECONDS
    while True:
        problems = list(unready(names))
        if not problems:
            return
        if all(" was released " in problem for problem in problems) or time.monotonic() > end:
            raise Failure("; ".join(problems))
        time.sleep(1)


def is_ours(volume):
    managers = volume["metadata"].get("managedFields") or []
    return any(entry.get("manager") == "playsmith" for entry in managers)


def strays(found, names):
    says = "%s is no PersistentVolume of the definition any more: kubectl delete persistentvolume %s"
    return [says % (name, name) for name in sorted(found) if is_ours(found[name]) and name not in names]


def present(wanted, dry):
    names = [volume["metadata"]["name"] for volume in wanted]
    before = current()
    problems = list(obstacles(wanted, before))
    if problems:
        raise Failure("; ".join(problems))
    after = applied(wanted, dry)
    if not dry:
        wait(names)
    done = ["applied the PersistentVolume " + name for name in changes(before, after)]
    return bool(done), done, {"hints": strays(before, names)}


def absent(names, dry):
    done = []
    for name in names:
        there = find("persistentvolume", name)
        if there is None:
            continue
        if there["status"].get("phase") == "Bound":
            raise Failure("%s is bound: delete its claim first" % name)
        if not dry:
            kubectl("delete", "persistentvolume", name, "--ignore-not-found", "--timeout", "60s")
        done.append("deleted the PersistentVolume " + name)
    return bool(done), done, {"hints": []}


def settle(given, dry):
    if not os.path.exists(CONFIG):
        if dry:
            return False, [], {"hints": []}
        raise Failure("there is no %s on this control plane: PersistentVolumes are applied with it" % CONFIG)
    return present(given["volumes"], dry) if given["state"] == "present" else absent(given["names"], dry)


def main():
    module = AnsibleModule(
        argument_spec={
            "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
            "volumes": {"type": "list", "elements": "dict", "default": []},
            "names": {"type": "list", "elements": "str", "default": []},
        },
        supports_check_mode=True,
    )
    answer(module, lambda: settle(module.params, module.check_mode))


if __name__ == "__main__":
    main()
