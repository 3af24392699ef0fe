#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: cluster_settings
short_description: Brings what kubeadm keeps in a running cluster to its configuration, and rolls kube-proxy
version_added: 0.1.0
description:
  - Compares the ConfigMaps C(kubeadm-config), C(kubelet-config) and C(kube-proxy) with those that kubeadm would make, and has
    kubeadm bring those that differ. Nodes that join later, and upgrades, go by them.
  - kube-proxy reads its settings when it starts, so it is rolled node by node when they changed. When it does not come up, it
    gets the old ones back, and the module fails with what it said.
options:
  configuration:
    description: The text of kubeadm's configuration for this control plane.
    type: str
    required: true
  parts:
    description: What is brought.
    type: list
    elements: str
    choices: [kubeadm-config, kubelet-config, kube-proxy]
    required: true
  seconds:
    description: How long kube-proxy may take on all nodes.
    type: int
    default: 600
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
"""

EXAMPLES = r"""
- name: Update what joining nodes are given
  playsmith.host.cluster_settings:
    configuration: "{{ lookup('ansible.builtin.file', 'kubeadm.yaml') }}"
    parts: [kubeadm-config, kubelet-config]
"""

RETURN = r"""
changed_parts: {description: "Those of O(parts) that were, or in check mode would be, brought.", type: list, elements: str, returned: always}
cordoned: {description: Nodes that an interrupted run left cordoned., type: list, elements: str, returned: success}
"""

import json
import os
import re
import tempfile

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.host import first_match
from ansible_collections.playsmith.host.plugins.module_utils.kube_proxy import BEFORE, bring_proxy, image_of, present_of
from ansible_collections.playsmith.host.plugins.module_utils.kubeadm import init_phase, is_begun, version_of
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import (
    CONFIG,
    CORDONED,
    Failure,
    get,
    kubectl,
    run,
)

UPLOADS = {"kubeadm-config": "kubeadm", "kubelet-config": "kubelet"}


def objects(text):
    """What a text of several YAML documents holds; kubectl reads it, and asks no server."""
    words = ("annotate", "--local", "--filename", "-", "playsmith.dev/read=yes", "--output", "json")
    rest, found = run("kubectl", *words, text=text).strip(), []
    while rest:
        value, end = json.JSONDecoder().raw_decode(rest)
        found.append(value)
        rest = rest[end:].strip()
    return found


def of_upload(configuration, part):
    with tempfile.TemporaryDirectory(prefix="playsmith-", dir="/run") as folder:
        os.symlink(CONFIG, os.path.join(folder, "admin.conf"))
        said = init_phase(configuration, "upload-config " + UPLOADS[part], folder=folder)
    texts = re.findall(r"(?ms)^\[dryrun\] Attached object:\n(.*?)\n\n", said + "\n")
    return [text for text in texts if "\nkind: ConfigMap\n" in text]


def wanted_of(configuration, part):
    texts = (
        [init_phase(configuration, "addon kube-proxy", "--print-manifest")]
        if part == "kube-proxy"
        else of_upload(configuration, part)
    )
    return {each["kind"]: each for each in objects("\n---\n".join(texts))}


def told(wanted, present):
    """What of a ConfigMap kubeadm decides; others may have put more into it."""
    return {key: present.get("data", {}).get(key, "") for key in wanted["data"]}


def look(configuration, part):
    """The text before and after, the same where nothing is to be done."""
    wanted = wanted_of(configuration, part)
    present = present_of("configmap", part)
    if not present:
        return "", ""
    before, after = told(wanted["ConfigMap"], present), dict(wanted["ConfigMap"]["data"])
    if part == "kube-proxy":
        before["image"], after["image"] = image_of(present_of("daemonset", part)), image_of(wanted["DaemonSet"])
    return ["".join("%s:\n%s\n" % (key, side[key].rstrip("\n")) for key in sorted(side)) for side in (before, after)]


def bring_dns(configuration, before, after):
    """CoreDNS comes from where the other images come from; one that somebody took from elsewhere stays."""
    image = image_of(present_of("deployment", "coredns"))
    old, new = (first_match(r"^imageRepository: (\S+)$", text) for text in (before, after))
    if old == new or not image.startswith(old + "/"):
        return
    made = objects(init_phase(configuration, "addon coredns", "--print-manifest"))
    wanted = next(image_of(each) for each in made if each["kind"] == "Deployment")
    deployment = ("deployment/coredns", "--namespace", "kube-system")
    kubectl("set", "image", *deployment, "coredns=" + wanted)
    try:
        kubectl("rollout", "status", *deployment, "--timeout=180s")
    except Failure as error:
        kubectl("rollout", "undo", *deployment)
        raise Failure("CoreDNS does not come up with %s, and has its image again: %s" % (wanted, error)) from None


def cordoned():
    nodes = [node["metadata"] for node in get("nodes")["items"]]
    return sorted(each["name"] for each in nodes if each.get("annotations", {}).get(CORDONED))


def apply(module, given):
    configuration, changed, differences = given["configuration"], [], []
    for part in given["parts"]:
        before, after = look(configuration, part)
        if before == after and not (part == "kube-proxy" and os.path.exists(BEFORE)):
            continue
        says, wanted = version_of(before), version_of(configuration)
        if says and says != wanted:
            why = "the cluster says that it is %s, as a restored snapshot may: " % says
            raise Failure(why + "npx task run upgrade first")
        changed.append(part)
        header = "ConfigMap kube-system/" + part
        differences.append({"before_header": header, "after_header": header, "before": before, "after": after})
        if module.check_mode:
            continue
        if part == "kube-proxy":
            bring_proxy(configuration, given["seconds"])
        else:
            if part == "kubeadm-config":
                bring_dns(configuration, before, after)
            init_phase(configuration, "upload-config " + UPLOADS[part])
    return changed, differences


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "configuration": {"type": "str", "required": True},
            "parts": {"type": "list", "elements": "str", "choices": [*UPLOADS, "kube-proxy"], "required": True},
            "seconds": {"type": "int", "default": 600},
        },
        supports_check_mode=True,
    )
    if not is_begun(CONFIG):
        module.exit_json(changed=False, changed_parts=[], cordoned=[])
    try:
        changed, differences = apply(module, module.params)
        found = {"changed_parts": changed, "cordoned": cordoned()}
    except Failure as error:
        module.fail_json(msg=str(error))
    module.exit_json(changed=bool(changed), diff=differences, **found)


if __name__ == "__main__":
    main()
