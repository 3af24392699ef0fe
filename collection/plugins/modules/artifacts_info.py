#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: artifacts_info
short_description: Verifies artifacts on the Ansible server, and says what hosts should have of them
version_added: 0.1.0
description:
  - Runs on the Ansible server. Only what some host lacks is summed, since that is all that will be used.
options:
  folder:
    description: Folder of the artifacts.
    type: path
    required: true
  sha256:
    description: The reviewed SHA-256 of its C(SHA256SUMS).
    type: str
    required: true
  held:
    description: What hosts have, one C(<sum> <path>) each, C(-) for the sum of nothing.
    type: list
    elements: str
    required: true
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Verify the artifacts that hosts lack
  playsmith.host.artifacts_info:
    folder: ~/playsmith/artifacts/1.36.3
    sha256: 8f1d2b7c9e4a6c3d5b0f7e2a1c8d4b6f9e3a5c7d1b0f2e4a6c8d3b5f7e9a1c04
    held: ["- binaries/kubeadm"]
  delegate_to: localhost
  run_once: true
"""

RETURN = r"""
sums: {description: "Path of each file that O(held) names, with its SHA-256.", type: dict, returned: success}
lines: {description: The same as O(held) has it., type: list, elements: str, returned: success}
"""

import hashlib
import os

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.host import digest


def listed(folder, reviewed):
    with open(os.path.join(folder, "SHA256SUMS"), "rb") as file:
        text = file.read()
    actual = hashlib.sha256(text).hexdigest()
    if actual != reviewed:
        raise ValueError("SHA256SUMS of %s has the sum %s, reviewed is %s" % (folder, actual, reviewed))
    pairs = (line.split("  ", 1) for line in text.decode().splitlines() if line)
    return {path: wanted for wanted, path in pairs}


def problem(folder, path, wanted):
    if wanted is None:
        return "the artifacts in %s hold no %s" % (folder, path)
    actual = digest(os.path.join(folder, path))
    if actual == "-":
        return "%s of %s cannot be read" % (path, folder)
    return "" if actual == wanted else "%s of %s has the sum %s, SHA256SUMS says %s" % (path, folder, actual, wanted)


def verified(folder, reviewed, held):
    """Path of each file that hosts should have, with its sum; the first that is not as it was reviewed is said."""
    pairs = {tuple(line.split(" ", 1)) for line in held}
    sums = listed(folder, reviewed)
    lacking = sorted({path for have, path in pairs if sums.get(path) != have})
    problems = [text for text in (problem(folder, path, sums.get(path)) for path in lacking) if text]
    if problems:
        raise ValueError("; ".join(problems))
    return {path: sums[path] for path in sorted({path for _, path in pairs})}


def main():
    module = AnsibleModule(
        argument_spec={
            "folder": {"type": "path", "required": True},
            "sha256": {"type": "str", "required": True},
            "held": {"type": "list", "elements": "str", "required": True},
        },
        supports_check_mode=True,
    )
    says = "The artifacts cannot be used: %s. Put the reviewed ones there: npx task artifacts push"
    try:
        wanted = verified(module.params["folder"], module.params["sha256"], module.params["held"])
    except OSError as error:
        module.fail_json(msg=says % ("%s: %s" % (error.filename, error.strerror)))
    except ValueError as error:
        module.fail_json(msg=says % error)
    module.exit_json(changed=False, sums=wanted, lines=[total + " " + path for path, total in wanted.items()])


if __name__ == "__main__":
    main()
