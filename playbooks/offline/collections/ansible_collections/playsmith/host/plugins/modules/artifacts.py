#!/usr/bin/python
"""The part on the Ansible server is the action of the same name: it brings the files to the host."""

from __future__ import annotations

DOCUMENTATION = r"""
module: artifacts
short_description: Puts files of the artifacts, which lie on the Ansible server, on a host
version_added: 0.1.0
description:
  - Does what C(ansible.builtin.copy) does for one file at a time, which asks each host several questions a file.
  - Each file appears whole or not at all, and only where what arrived has the reviewed sum. The owner is root.
  - Copies whatever it is given; who calls it knows what the host lacks.
options:
  folder:
    description: Folder of the artifacts on the Ansible server.
    type: str
    required: true
  files:
    description: Path of each file on the host, with its path below O(folder).
    type: dict
    required: true
  sums:
    description: Path of each file below O(folder), with its SHA-256.
    type: dict
    required: true
  mode:
    description: Permissions, in octal digits.
    type: str
    required: true
author: Playsmith
attributes:
  action:
    support: full
  check_mode: {support: full}
  diff_mode: {support: none}
"""

EXAMPLES = r"""
- name: Install the programs of Kubernetes
  playsmith.host.artifacts:
    folder: ~/playsmith/artifacts/1.36.3
    files:
      /usr/bin/kubeadm: binaries/kubeadm
      /usr/bin/kubelet: binaries/kubelet
    sums:
      binaries/kubeadm: 3c9b0f4b2c1f5b0d6d4c8f4a8c1c5f8e5d1a7e3b0f9c2d6a4b8e1c7f5a3d9b02
      binaries/kubelet: 8f1d2b7c9e4a6c3d5b0f7e2a1c8d4b6f9e3a5c7d1b0f2e4a6c8d3b5f7e9a1c04
    mode: "0755"
"""

RETURN = r"""
files:
  description: The files that were put there.
  type: list
  elements: str
  returned: success
"""

import os

from ansible.module_utils.basic import AnsibleModule


def place(module, source, dest, wanted):
    arrived = module.sha256(source)
    if arrived != wanted:
        module.fail_json(msg=f"{dest}: what arrived has the sum {arrived}, wanted is {wanted}")
    os.chown(source, 0, 0)
    os.chmod(source, int(module.params["mode"], 8))
    module.atomic_move(source, dest)
    # A file that was there passes its own on.
    module.set_mode_if_different(dest, module.params["mode"], True)
    module.set_owner_if_different(dest, "root", True)
    module.set_group_if_different(dest, "root", True)


def main():
    module = AnsibleModule(
        argument_spec={
            # By now it is the folder of this host to which the files were brought.
            "folder": {"type": "str", "required": True},
            "files": {"type": "dict", "required": True},
            "sums": {"type": "dict", "required": True},
            "mode": {"type": "str", "required": True},
        },
    )
    files = sorted(module.params["files"].items())
    for dest, path in files:
        place(module, os.path.join(module.params["folder"], path), dest, module.params["sums"][path])
    module.exit_json(changed=True, files=[dest for dest, _ in files])


if __name__ == "__main__":
    main()
