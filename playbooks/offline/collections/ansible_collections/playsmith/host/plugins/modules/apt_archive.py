#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: apt_archive
short_description: Unpacks an archive of packages on a host, and makes apt read their list
version_added: 0.1.0
description:
  - The archive is C(/var/lib/playsmith/packages.tar), which is removed once it is unpacked.
  - No list of apt but that of these packages is read again.
options:
  sha256:
    description: SHA-256 of the archive, which is remembered.
    type: str
    required: true
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Unpack the packages
  playsmith.host.apt_archive:
    sha256: 8f1d2b7c9e4a6c3d5b0f7e2a1c8d4b6f9e3a5c7d1b0f2e4a6c8d3b5f7e9a1c04
"""

RETURN = r"""
folder: {description: Where the packages are., type: str, returned: success}
"""

import fcntl
import os
import shutil

from ansible.module_utils.basic import AnsibleModule

KEPT = "/var/lib/playsmith"
LOCK = "/run/playsmith-packages.lock"
UPDATE = (
    *("apt-get", "update", "--quiet"),
    *("-o", "Dir::Etc::sourcelist=/etc/apt/sources.list.d/playsmith.list"),
    *("-o", "Dir::Etc::sourceparts=-", "-o", "APT::Get::List-Cleanup=0"),
)


def unpack(module, archive, folder):
    new = folder + ".new"
    shutil.rmtree(new, ignore_errors=True)
    os.mkdir(new)
    os.chmod(new, 0o755)
    module.run_command(["tar", "--extract", "--no-same-owner", "--file", archive, "--directory", new], check_rc=True)
    shutil.rmtree(folder, ignore_errors=True)
    if os.path.exists(folder + ".sha256"):
        os.remove(folder + ".sha256")
    os.rename(new, folder)
    module.run_command(list(UPDATE), check_rc=True)
    with open(folder + ".sha256", "w", encoding="utf-8") as file:
        file.write(module.params["sha256"] + "\n")
    os.remove(archive)


def main():
    module = AnsibleModule(argument_spec={"sha256": {"type": "str", "required": True}}, supports_check_mode=True)
    folder = KEPT + "/packages"
    archive = folder + ".tar"
    with open(LOCK, "w", encoding="utf-8") as lock:
        # A run that was cut off may still be unpacking here.
        fcntl.flock(lock, fcntl.LOCK_EX)
        lacks = os.path.exists(archive)
        if lacks and not module.check_mode:
            unpack(module, archive, folder)
    module.exit_json(changed=lacks, folder=folder)


if __name__ == "__main__":
    main()
