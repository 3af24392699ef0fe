#!/usr/bin/python
"""The part on the Ansible server is the action of the same name: it brings the files to the host."""

from __future__ import annotations

DOCUMENTATION = r"""
module: artifacts
short_description: Puts files of the artifacts, which lie on the Ansible server, on a host, and unpacks archives of them
version_added: 0.1.0
description:
  - Does what C(ansible.builtin.copy) does for one file at a time, which asks each host several questions a file.
  - Each file appears whole or not at all, and only where what arrived has the reviewed sum. The owner is root.
  - An archive is unpacked over what the folder has, only where it arrived as it was reviewed, and is not kept.
  - Copies whatever it is given; who calls it knows what the host lacks.
options:
  folder:
    description: Folder of the artifacts on the Ansible server.
    type: str
    required: true
  files:
    description: Path of each file on the host, with its path below O(folder).
    type: dict
    default: {}
  unpack:
    description: Folder of each archive on the host, with the path of the archive below O(folder). It is made where it lacks.
    type: dict
    default: {}
  record:
    description:
      - File on the host that is removed first and written last, with the sum and the path of each archive.
      - A run that was cut leaves none.
    type: str
    default: ""
  sums:
    description: Path of each file below O(folder), with its SHA-256.
    type: dict
    required: true
  mode:
    description: Permissions of O(files), in octal digits.
    type: str
    default: "0644"
  directory_mode:
    description: Permissions of folders that lack on the way to O(files), in octal digits; none are made without it.
    type: str
    default: ""
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

- name: Install the plugins of the pods' network
  playsmith.host.artifacts:
    folder: ~/playsmith/artifacts/1.36.3
    unpack:
      /opt/cni/bin: archives/cni-plugins.tgz
    sums:
      archives/cni-plugins.tgz: 5c1f0b7d2e9a4c6b8d3f5a7e1c0b9d2f4a6e8c7b5d3f1a9e0c2b4d6f8a7c5e13
    record: /var/lib/playsmith/cni-plugins.sha256
"""

RETURN = r"""
files:
  description: The files that were put there, and the folders that archives were unpacked into.
  type: list
  elements: str
  returned: success
"""

import os

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.host import forget, make_folders, write


def require(module, source, dest, wanted):
    """From here on it is root's alone: what is summed is what is used."""
    os.chown(source, 0, 0)
    os.chmod(source, 0o600)
    arrived = module.sha256(source)
    if arrived != wanted:
        more = "run it again, and look at the disk of this host where it stays so"
        module.fail_json(msg=f"{dest}: what arrived has the sum {arrived}, wanted is {wanted}: {more}")


def place(module, source, dest):
    if module.params["directory_mode"]:
        make_folders(os.path.dirname(dest), int(module.params["directory_mode"], 8))
    os.chmod(source, int(module.params["mode"], 8))
    module.atomic_move(source, dest)
    # A file that was there passes its own on.
    module.set_mode_if_different(dest, module.params["mode"], True)
    module.set_owner_if_different(dest, "root", True)
    module.set_group_if_different(dest, "root", True)


def unpack(module, archive, folder):
    make_folders(folder, 0o755)
    words = ["tar", "--extract", "--no-same-owner", "--file", archive, "--directory", folder]
    module.run_command(words, check_rc=True)


def bring(module):
    files, archives, sums = module.params["files"], module.params["unpack"], module.params["sums"]
    brought = {path: os.path.join(module.params["folder"], path.replace("/", "-")) for path in sums}
    for dest, path in sorted({**files, **archives}.items()):
        require(module, brought[path], dest, sums[path])
    record = [module.params["record"]] if module.params["record"] else []
    forget(*record)
    for folder, path in sorted(archives.items()):
        unpack(module, brought[path], folder)
    for dest, path in sorted(files.items()):
        place(module, brought[path], dest)
    for kept in record:
        write(kept, "".join(f"{sums[path]} {path}\n" for path in sorted(archives.values())), 0o644)
    return sorted([*files, *archives])


def main():
    module = AnsibleModule(
        argument_spec={
            # By now it is the folder of this host to which the files were brought, each with `-` for `/` in its path.
            "folder": {"type": "str", "required": True},
            "files": {"type": "dict", "default": {}},
            "unpack": {"type": "dict", "default": {}},
            "sums": {"type": "dict", "required": True},
            "mode": {"type": "str", "default": "0644"},
            "directory_mode": {"type": "str", "default": ""},
            "record": {"type": "str", "default": ""},
        }
    )
    try:
        files = bring(module)
    except OSError as error:
        module.fail_json(msg=str(error))
    module.exit_json(changed=True, files=files)


if __name__ == "__main__":
    main()
