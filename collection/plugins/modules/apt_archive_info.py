#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: apt_archive_info
short_description: Says which packages of the artifacts a host should have as a source of apt, and which it has
version_added: 0.1.0
options:
  settings:
    description: Files below C(/etc/apt), each with its SHA-256.
    type: dict
    default: {}
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Find the packages that the host has
  playsmith.host.apt_archive_info:
  register: __artifacts_found
"""

RETURN = r"""
settings: {description: Files of O(settings) that are not as they should be., type: list, elements: str, returned: success}
path: {description: "The packages of the host's system, as a path of the artifacts.", type: str, returned: success}
artifacts:
  description: SHA-256 and path of what is there of the artifacts, C(-) for nothing.
  type: list
  elements: str
  returned: success
"""

import glob
import os

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.host import differing, read

KEPT = "/var/lib/playsmith"


def path_of(release):
    pairs = (line.split("=", 1) for line in release.splitlines() if "=" in line)
    return "packages/{ID}-{VERSION_ID}.tar".format_map({key: value.strip('"') for key, value in pairs})


def held():
    known = glob.glob("/var/lib/apt/lists/*_playsmith_packages_*Packages*")
    whole = known and os.path.isfile(KEPT + "/packages/Packages")
    return (read(KEPT + "/packages.sha256").strip() if whole else "") or "-"


def main():
    module = AnsibleModule(argument_spec={"settings": {"type": "dict", "default": {}}}, supports_check_mode=True)
    path = path_of(read("/etc/os-release"))
    module.exit_json(
        changed=False,
        settings=differing("/etc/apt", module.params["settings"]),
        path=path,
        artifacts=[held() + " " + path],
    )


if __name__ == "__main__":
    main()
