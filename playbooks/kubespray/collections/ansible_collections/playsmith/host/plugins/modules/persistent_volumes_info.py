#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: persistent_volumes_info
short_description: Reads which PersistentVolumes with NFS are used, by which claims and pods of all namespaces
version_added: 0.1.0
options:
  names:
    description: Their names.
    type: list
    elements: str
    default: []
  servers:
    description: Addresses of NFS servers; all PersistentVolumes that lead to one of them are meant as well.
    type: list
    elements: str
    default: []
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Read who uses the volumes of a storage server
  playsmith.host.persistent_volumes_info:
    servers: [192.0.2.90]
"""

RETURN = r"""
volumes:
  description: C(name), C(server), C(path), C(phase), C(claim) and C(pods) of each; none on a host without a cluster.
  type: list
  elements: dict
  returned: success
"""

import os

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import CONFIG, answer, get


def claims_of(pod):
    for volume in pod["spec"].get("volumes") or []:
        claim = volume.get("persistentVolumeClaim") or {}
        if claim:
            yield pod["metadata"]["namespace"] + "/" + claim["claimName"]
        if volume.get("ephemeral") is not None:
            yield "%s/%s-%s" % (pod["metadata"]["namespace"], pod["metadata"]["name"], volume["name"])


def users(pods):
    """By claim: pods that have it and are not over."""
    found: dict[str, list[str]] = {}
    for pod in pods:
        where = pod["spec"].get("nodeName") or "no node yet"
        name = "%s/%s on %s" % (pod["metadata"]["namespace"], pod["metadata"]["name"], where)
        is_over = pod["status"].get("phase") in ("Succeeded", "Failed")
        for claim in [] if is_over else claims_of(pod):
            found.setdefault(claim, []).append(name)
    return found


def report(volume, pods):
    reference, nfs = volume["spec"].get("claimRef") or {}, volume["spec"].get("nfs") or {}
    claim = "%s/%s" % (reference.get("namespace", ""), reference.get("name", "")) if reference else ""
    return {
        "name": volume["metadata"]["name"],
        "server": nfs.get("server", ""),
        "path": nfs.get("path", ""),
        "phase": volume["status"].get("phase", "Pending"),
        "claim": claim,
        "pods": sorted(pods.get(claim, [])),
    }


def is_meant(volume, names, servers):
    return volume["metadata"]["name"] in names or (volume["spec"].get("nfs") or {}).get("server") in servers


def volumes(names, servers):
    if not os.path.exists(CONFIG):
        return []
    mine = [volume for volume in get("persistentvolumes")["items"] if is_meant(volume, names, servers)]
    pods = users(get("pods", "--all-namespaces")["items"]) if mine else {}
    return sorted((report(volume, pods) for volume in mine), key=lambda each: each["name"])


def main():
    listed = {"type": "list", "elements": "str", "default": []}
    module = AnsibleModule(argument_spec={"names": listed, "servers": listed}, supports_check_mode=True)
    given = module.params
    answer(module, lambda: (False, [], {"volumes": volumes(given["names"], given["servers"])}))


if __name__ == "__main__":
    main()
