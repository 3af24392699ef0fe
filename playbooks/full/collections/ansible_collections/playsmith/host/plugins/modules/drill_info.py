#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: drill_info
short_description: Reads what a host is to a drill, and fails where a drill could not be reverted on it
version_added: 0.1.0
options:
  services:
    description: Services that have to run, and to start with the host.
    type: list
    elements: str
    required: true
  address:
    description: The virtual address of the cluster.
    type: str
    default: ""
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Read whether this load balancer holds the address
  playsmith.host.drill_info:
    address: 192.0.2.80
    services: [haproxy, keepalived]
"""

RETURN = r"""
holds: {description: Whether the host holds the address., type: bool, returned: success}
leads: {description: Whether its member leads etcd., type: bool, returned: success}
"""

import urllib.request

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.host import said


def leads():
    """kubeadm lets etcd tell its metrics on loopback."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for loopback in ("127.0.0.1", "[::1]"):
        try:
            with opener.open("http://%s:2381/metrics" % loopback, timeout=8) as reply:
                return b"\netcd_server_is_leader 1\n" in reply.read()
        except (OSError, ValueError):
            pass
    return False


def problems_of(services):
    for name in services:
        if said("systemctl", "is-active", name) != "active":
            yield "%s does not run" % name
        if said("systemctl", "is-enabled", name) != "enabled":
            yield "%s would not start with the host" % name
    if said("systemctl", "is-active", "playsmith-drill-undo.timer") == "active":
        yield "another drill has not ended here: the host reverts its fault by itself"


def main():
    module = AnsibleModule(
        argument_spec={
            "services": {"type": "list", "elements": "str", "required": True},
            "address": {"type": "str", "default": ""},
        },
        supports_check_mode=True,
    )
    problems, address = list(problems_of(module.params["services"])), module.params["address"]
    if problems:
        module.fail_json(msg="; ".join(problems))
    holds = address != "" and said("ip", "-oneline", "address", "show", "to", address) != ""
    module.exit_json(changed=False, holds=holds, leads=leads())


if __name__ == "__main__":
    main()
