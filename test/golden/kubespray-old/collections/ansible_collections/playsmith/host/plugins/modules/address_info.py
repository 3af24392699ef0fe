#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: address_info
short_description: Reads whether the host holds an address, and who else answers at it
version_added: 0.1.0
options:
  address:
    description: The address, of IPv4 or IPv6.
    type: str
    required: true
  ask:
    description:
      - Whether every neighbour on the link is asked, by ARP or neighbour discovery, three times within a second. The host
        that holds the address does not hear itself, and whoever answers it is another holder. Needs root.
    type: bool
    default: false
  seconds:
    description:
      - How long an election of Keepalived may take. One that may still go on, because Keepalived was started or reloaded a
        moment ago, has its time first.
    type: int
    default: 0
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Ask who answers at the virtual address
  playsmith.host.address_info:
    address: 192.0.2.80
    ask: true
"""

RETURN = r"""
held: {description: Whether the host holds the address., type: bool, returned: success}
interface: {description: "The interface that holds it; none, where the host does not.", type: str, returned: success}
own: {description: The MAC addresses of the host., type: list, elements: str, returned: success}
answers: {description: The MAC addresses of those who answer at the address., type: list, elements: str, returned: success}
"""

import time

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.held_address import holding
from ansible_collections.playsmith.host.plugins.module_utils.host import said


def let_elect(seconds):
    """By the clock that nobody sets."""
    began = int(said("systemctl", "show", "--property", "StateChangeTimestampMonotonic", "--value", "keepalived") or 0)
    time.sleep(max(0, began / 1e6 + seconds - time.monotonic()))


def main():
    module = AnsibleModule(
        argument_spec={
            "address": {"type": "str", "required": True},
            "ask": {"type": "bool", "default": False},
            "seconds": {"type": "int", "default": 0},
        },
        supports_check_mode=True,
    )
    if module.params["seconds"]:
        let_elect(module.params["seconds"])
    module.exit_json(changed=False, **holding(module.params["address"], module.params["ask"]))


if __name__ == "__main__":
    main()
