#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: files
short_description: Brings several text files of a host to their wanted text, owner and mode in one go
version_added: 0.1.0
description:
  - Does what C(ansible.builtin.copy) does for one file at a time, which asks each host several questions a file.
  - A file is replaced at once or not at all. Folders that lack on the way to it are created. The owner is root.
options:
  files:
    description: The files, each with its C(path), its C(content), and its own C(mode) where it is not the common one.
    type: list
    elements: dict
    required: true
    suboptions:
      path:
        description: Where it lies, below O(root).
        type: str
        required: true
      content:
        description: Its whole text; without one the file is taken away.
        type: str
      mode:
        description: Its own permissions, in octal digits.
        type: str
  root:
    description: What every path is below.
    type: path
    default: /
  mode:
    description: Permissions, in octal digits.
    type: str
    default: "0644"
  directory_mode:
    description: Permissions of folders that are created.
    type: str
    default: "0755"
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
"""

EXAMPLES = r"""
- name: Load the kernel modules of Kubernetes at boot
  playsmith.host.files:
    root: /etc
    files:
      - path: modules-load.d/kubernetes.conf
        content: |
          overlay
          br_netfilter
      - path: kubernetes/secret.conf
        content: "{{ lookup('file', 'files/secret.conf') }}"
        mode: "0600"
"""

RETURN = r"""
paths:
  description: The files that were not as they are wanted.
  type: list
  elements: str
  returned: always
"""

import os
import tempfile

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.host import is_plain, make_folders

FILE = {"path": {"type": "str", "required": True}, "content": {"type": "str"}, "mode": {"type": "str"}}


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def write(module, path, text, mode):
    handle, new = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".playsmith-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text)
        os.chmod(new, mode)
        os.chown(new, 0, 0)
        if os.path.exists(path):
            # As it was: what keeps a security context keeps it.
            module.set_context_if_different(new, module.selinux_context(path), False)
        else:
            module.set_default_selinux_context(new, False)
        os.rename(new, path)
    except BaseException:
        os.unlink(new)
        raise


def difference(path, before, after, modes):
    return {
        "before_header": path,
        "after_header": path,
        "before": (before or b"").decode(errors="replace"),
        "after": after.decode(),
        **modes,
    }


def settle_absent(module, path):
    before = read(path)
    if before is None:
        return None
    if not module.check_mode:
        os.unlink(path)
    return difference(path, before, b"", {})


def settle(module, path, wanted, folder_mode):
    """Brings one file to what is wanted; its difference, or None where there is none."""
    if wanted["content"] is None:
        return settle_absent(module, path)
    text, mode = wanted["content"].encode(), int(wanted["mode"] or module.params["mode"], 8)
    before = read(path)
    if before == text and is_plain(path, mode):
        return None
    if not module.check_mode:
        make_folders(os.path.dirname(path), folder_mode)
        write(module, path, text, mode)
    modes = {"prepared": path + ": owner or mode"} if before == text else {}
    return difference(path, before, text, modes)


def main():
    module = AnsibleModule(
        argument_spec={
            "files": {"type": "list", "elements": "dict", "required": True, "options": FILE},
            "root": {"type": "path", "default": "/"},
            "mode": {"type": "str", "default": "0644"},
            "directory_mode": {"type": "str", "default": "0755"},
        },
        supports_check_mode=True,
    )
    folder_mode = int(module.params["directory_mode"], 8)
    paths = [os.path.realpath(os.path.join(module.params["root"], file["path"])) for file in module.params["files"]]
    differences = []
    for path, wanted in zip(paths, module.params["files"]):
        try:
            found = settle(module, path, wanted, folder_mode)
        except OSError as error:
            module.fail_json(msg=f"{path}: {error.strerror or error}")
        differences += [found] if found else []
    # The texts are in the bundle and in the difference: a record of the run needs no third copy.
    module.exit_json(
        changed=bool(differences),
        paths=[found["after_header"] for found in differences],
        diff=differences if module._diff else [],
        invocation={"module_args": {"files": paths}},
    )


if __name__ == "__main__":
    main()
