#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: kubelet_settings
short_description: Brings the configuration of a running kubelet to what kubeadm makes of its own
version_added: 0.1.0
description:
  - Compares C(/var/lib/kubelet/config.yaml) with what kubeadm makes of its configuration, replaces it where it differs, and
    restarts the kubelet.
  - It has to be healthy and its node Ready again before the module ends. Where it is not, the old configuration comes back,
    and the module fails with what the kubelet wrote into its journal.
  - What was there before lies in C(/var/lib/playsmith/reconfigure) until then, so that a run that was cut is taken up.
  - A host that is no node yet is left alone.
options:
  node:
    description: The name of its node.
    type: str
    required: true
  configuration:
    description: The text of kubeadm's configuration for a control plane, from which it makes that of the kubelet.
    type: str
  text:
    description: What it made of it elsewhere, for a worker, which cannot ask it.
    type: str
  record:
    description: Where O(configuration) is kept once the host runs with it, since renewals of certificates go by it.
    type: path
  kept:
    description: Fields of which each host keeps its own value, since kubeadm looks at the host for it.
    type: list
    elements: str
    default: [resolvConf]
  emptying:
    description: Fields that the kubelet takes over only from a node without pods.
    type: list
    elements: str
    default: []
  emptying_when_lower:
    description: Fields of which a lower number ends pods that are there, with what holds without them.
    type: dict
    default: {}
  seconds:
    description: How long the kubelet may take until its node is Ready.
    type: int
    default: 180
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
"""

EXAMPLES = r"""
- name: Bring the kubelet of a control plane to its settings
  playsmith.host.kubelet_settings:
    node: "{{ inventory_hostname }}"
    configuration: "{{ lookup('ansible.builtin.file', 'kubeadm.yaml') }}"
"""

RETURN = r"""
differs: {description: "Whether the host is, or was, to be changed.", type: bool, returned: always}
fields:
  description: Fields of the kubelet's configuration that were, or in check mode would be, brought.
  type: list
  elements: str
  returned: always
drained: {description: Those of them for which the node has to be empty., type: list, elements: str, returned: always}
text: {description: The whole configuration as it is wanted., type: str, returned: always}
"""

import os
import re

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.host import make_folders, read, write
from ansible_collections.playsmith.host.plugins.module_utils.kubeadm import is_begun, made
from ansible_collections.playsmith.host.plugins.module_utils.kubelet import BEFORE, OWN, PATH, blocks, bring, differing
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure

# By itself kubeadm finds containerd below /var/run, a link to /run: a kubelet that it led there stays as it is.
SOCKET = re.compile(r"(?m)^(containerRuntimeEndpoint): unix:///var/run/containerd/containerd.sock$")


def with_own(text, present, kept):
    """Of the fields that each host has for itself the value stays that is there."""
    fields = {name: block for name, block in blocks(text).items() if name not in kept}
    fields.update({name: block for name, block in blocks(present).items() if name in kept})
    return "".join(fields[name] for name in sorted(fields))


def number(block, default):
    found = re.fullmatch(r"\w+: (\d+)\n?", block or "")
    return int(found.group(1) if found else default)


def emptied_for(present, wanted, emptying, when_lower):
    """The fields for which no pod may be there."""
    old, new = blocks(present), blocks(wanted)
    lower = [name for name, own in when_lower.items() if number(new.get(name), own) < number(old.get(name), own)]
    return sorted([name for name in differing(present, wanted) if name in emptying] + lower)


def wanted_of(given, present):
    if given["configuration"]:
        text, kept = made(given["configuration"], "kubelet-start")["config.yaml"], []
    elif blocks(given["text"]):
        text, kept = given["text"], given["kept"]
    else:
        raise Failure("nobody says what its kubelet is to be told: the control planes have to be brought first")
    return with_own(text, present, [*kept, *SOCKET.findall(present)])


def is_recorded(given):
    return not given["record"] or read(given["record"]) == given["configuration"]


def keep(given):
    make_folders(os.path.dirname(given["record"]), 0o700)
    write(given["record"], given["configuration"])


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "node": {"type": "str", "required": True},
            "configuration": {"type": "str"},
            "text": {"type": "str"},
            "record": {"type": "path"},
            "kept": {"type": "list", "elements": "str", "default": ["resolvConf"]},
            "emptying": {"type": "list", "elements": "str", "default": []},
            "emptying_when_lower": {"type": "dict", "default": {}},
            "seconds": {"type": "int", "default": 180},
        },
        required_one_of=[("configuration", "text")],
        mutually_exclusive=[("configuration", "text")],
        supports_check_mode=True,
    )
    given, present = module.params, read(PATH)
    if not is_begun(PATH, OWN):
        module.exit_json(changed=False, differs=False, fields=[], drained=[], text="")
    try:
        wanted = wanted_of(given, present)
        fields = differing(present, wanted)
        cut = os.path.exists(BEFORE)
        unrecorded = not is_recorded(given)
        if (fields or cut) and not module.check_mode:
            bring(given["node"], wanted, given["seconds"])
        if unrecorded and not module.check_mode:
            keep(given)
    except Failure as error:
        module.fail_json(msg=str(error))
    module.exit_json(
        changed=bool(fields or cut or unrecorded),
        differs=bool(fields or cut or unrecorded),
        fields=fields,
        drained=emptied_for(present, wanted, given["emptying"], given["emptying_when_lower"]),
        text=wanted,
        diff={"before_header": PATH, "after_header": PATH, "before": present, "after": wanted},
    )


if __name__ == "__main__":
    main()
