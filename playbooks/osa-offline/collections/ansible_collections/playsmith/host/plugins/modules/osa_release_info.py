#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: osa_release_info
short_description: Says what the checkout of OpenStack-Ansible on the deploy host installs Python packages of
version_added: 0.1.0
options:
  checkout:
    description: Its folder.
    type: path
    required: true
  roles:
    description: The folder with its roles; none is read without it.
    type: path
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Look what the release installs
  playsmith.host.osa_release_info:
    checkout: /opt/openstack-ansible
    roles: /etc/ansible/roles
  register: __osa_release
"""

RETURN = r"""
ansible: {description: "The requirement of Ansible itself.", type: str, returned: success, sample: ansible-core==2.17.11}
constraints: {description: The commit of openstack/requirements that it pins., type: str, returned: success}
pins: {description: The file with what it pins before all others., type: path, returned: success}
magnum: {description: The commit of Magnum that it pins., type: str, returned: success}
magnum_packages:
  description: What its role installs beside Magnum.
  type: list
  elements: str
  returned: success
"""

import os
import re

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.host import first_match, read


def items(variable, text):
    """The plain texts in a list of a role's defaults; an expression is none."""
    block = first_match(r"^%s:\n((?:[ #-].*\n|\n)*)" % variable, text)
    return re.findall(r"(?m)^\s*- ([\w.<>=!,\[\]-]+)\s*$", block)


def main():
    module = AnsibleModule(
        argument_spec={
            "checkout": {"type": "path", "required": True},
            "roles": {"type": "path"},
        },
        supports_check_mode=True,
    )
    checkout, roles = module.params["checkout"], module.params["roles"]
    sources = "inventory/group_vars/%s/source_git.yml"
    wanted = {
        "ansible": ("scripts/bootstrap-ansible.sh", r'ANSIBLE_PACKAGE:-"([^"]+)"'),
        "constraints": (sources % "all", r"^requirements_git_install_branch: ([\w./-]+)"),
        "magnum": (sources % "magnum_all", r"^magnum_git_install_branch: ([\w./-]+)"),
    }
    found = {name: first_match(how, read(os.path.join(checkout, path))) for name, (path, how) in wanted.items()}
    lacks = [os.path.join(checkout, path) for name, (path, _how) in wanted.items() if not found[name]]
    defaults = os.path.join(roles or "", "os_magnum/defaults/main.yml")
    packages = items("magnum_pip_packages", read(defaults)) if roles else []
    if roles and not packages:
        lacks.append(defaults)
    if lacks:
        said = ", ".join(lacks)
        module.fail_json(msg="%s does not say what is installed: is this a deploy host, and is it bootstrapped?" % said)
    pins = os.path.join(checkout, "global-requirement-pins.txt")
    module.exit_json(changed=False, pins=pins, magnum_packages=packages, **found)


if __name__ == "__main__":
    main()
