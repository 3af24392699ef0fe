#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: nfs_info
short_description: Reads which clients have a connection to the NFS server of this host
version_added: 0.1.0
options:
  port:
    description: The port of the server.
    type: int
    default: 2049
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Read who is connected
  playsmith.host.nfs_info:
"""

RETURN = r"""
clients: {description: Their addresses., type: list, elements: str, returned: success}
"""

import re

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.host import output


def peers(text):
    for line in text.splitlines():
        address = line.split()[3].rsplit(":", 1)[0].strip("[]")
        yield re.sub(r"^::ffff:", "", address)


def main():
    module = AnsibleModule(argument_spec={"port": {"type": "int", "default": 2049}}, supports_check_mode=True)
    port = ":%d" % module.params["port"]
    text = output("ss", "--no-header", "--tcp", "--numeric", "state", "established", "sport", "=", port)
    if text is None:
        module.fail_json(msg="ss does not say which connections this host has")
    module.exit_json(changed=False, clients=sorted(set(peers(text))))


if __name__ == "__main__":
    main()
