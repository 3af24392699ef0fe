#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: etcd_member
short_description: Removes members from etcd
version_added: 0.1.0
description:
  - Speaks with the etcd member of a control plane that stays.
options:
  name:
    description: The name of members that are removed, where O(ids) names none.
    type: str
    default: ""
  ids:
    description: Members that are removed, each by its number in hexadecimal; one that never started has no name.
    type: list
    elements: str
    default: []
author: Playsmith
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
"""

EXAMPLES = r"""
- name: Remove the member of a control plane that leaves
  playsmith.host.etcd_member:
    name: master03
"""

RETURN = r"""
done:
  description: What was removed, or would be in check mode, one line each.
  type: list
  elements: str
  returned: success
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils import etcd
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import answer


def settle(given, dry):
    if not given["ids"] and not given["name"]:
        return False, [], {}
    done = []
    for member in etcd.members():
        number = "%x" % int(member["ID"])
        if number not in given["ids"] and (given["ids"] or member.get("name") != given["name"]):
            continue
        if not dry:
            etcd.remove(member)
        done.append("removed the member %s from etcd" % (member.get("name") or number))
    return bool(done), done, {}


def main():
    module = AnsibleModule(
        argument_spec={
            "name": {"type": "str", "default": ""},
            "ids": {"type": "list", "elements": "str", "default": []},
        },
        supports_check_mode=True,
    )
    answer(module, lambda: settle(module.params, module.check_mode))


if __name__ == "__main__":
    main()
