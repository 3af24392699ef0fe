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
      path: {description: "Where it lies, below O(root).", type: str, required: true}
      content: {description: Its whole text; without one the file is taken away., type: str}
      mode: {description: "Its own permissions, in octal digits.", type: str}
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
  program:
    description:
      - A program that brings what runs to what the files say, once they are there. It is called with C(--now), or with C(--dry-run) in
        check mode, there only where no file differs; each line that it prints is a change.
    type: path
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
paths: {description: The files that were not as they are wanted., type: list, elements: str, returned: always}
lines: {description: What O(program) printed., type: list, elements: str, returned: success}
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils import text_files


def brought(module, differs):
    """What the program of the files printed; in check mode it would see those that are there now."""
    if not module.params["program"] or (module.check_mode and differs):
        return []
    words = [module.params["program"], "--dry-run" if module.check_mode else "--now"]
    return module.run_command(words, check_rc=True)[1].splitlines()


def main():
    module = AnsibleModule(
        argument_spec={
            "files": {"type": "list", "elements": "dict", "required": True, "options": text_files.FILE},
            "root": {"type": "path", "default": "/"},
            "mode": {"type": "str", "default": "0644"},
            "directory_mode": {"type": "str", "default": "0755"},
            "program": {"type": "path"},
        },
        supports_check_mode=True,
    )
    given = module.params
    files = [{**file, "mode": file["mode"] or given["mode"]} for file in given["files"]]
    differences = text_files.bring(module, given["root"], files, int(given["directory_mode"], 8))
    lines = brought(module, bool(differences))
    differences += [{"prepared": "\n".join(lines)}] if lines else []
    # The texts are in the bundle and in the difference: a record of the run needs no third copy.
    module.exit_json(
        changed=bool(differences),
        paths=[found["after_header"] for found in differences if "after_header" in found],
        lines=lines,
        diff=differences if module._diff else [],
        invocation={"module_args": {"root": given["root"], "files": [file["path"] for file in files]}},
    )


if __name__ == "__main__":
    main()
