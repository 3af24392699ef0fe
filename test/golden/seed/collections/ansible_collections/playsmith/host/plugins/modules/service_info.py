#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: service_info
short_description: Reads whether a service is installed, runs, begins at boot, and has read its configuration
version_added: 0.1.0
options:
  name:
    description: The unit of systemd, which is also the name of the package.
    type: str
    required: true
  configuration:
    description: The file that the service reads when it starts or reloads.
    type: path
    required: true
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Read what HAProxy is
  playsmith.host.service_info:
    name: haproxy
    configuration: /etc/haproxy/haproxy.cfg
"""

RETURN = r"""
installed:
  description: Whether the package is installed as a whole.
  type: bool
  returned: success
started:
  description: Whether the service runs, and begins at boot.
  type: bool
  returned: success
unread:
  description: Whether the configuration is newer than what the service read.
  type: bool
  returned: success
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.host import is_unread, said


def is_installed(name):
    return said("dpkg-query", "--show", "--showformat=${db:Status-Status}", name) == "installed"


def is_started(name):
    said_of = said("systemctl", "show", "--property", "ActiveState,UnitFileState", name)
    return sorted(said_of.split()) == ["ActiveState=active", "UnitFileState=enabled"]


def main():
    module = AnsibleModule(
        argument_spec={"name": {"type": "str", "required": True}, "configuration": {"type": "path", "required": True}},
        supports_check_mode=True,
    )
    name, path = module.params["name"], module.params["configuration"]
    found = {"installed": is_installed(name), "started": is_started(name), "unread": is_unread(name, path)}
    module.exit_json(changed=False, **found)


if __name__ == "__main__":
    main()
