#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: cnf_kubeconfig
short_description: Makes a kubeconfig for the tenant of a CNF, with a token that expires
version_added: 0.1.0
description:
  - It goes by what was recorded when the CNF was instantiated, where and as whom. Whoever calls it hides its result with C(no_log).
options:
  name:
    description: The name of the CNF.
    type: str
    required: true
  hours:
    description: For how long the token is good; the API server may allow less.
    type: int
    default: 8
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Request a token of the tenant
  playsmith.host.cnf_kubeconfig:
    name: web
  register: __made
  no_log: true
"""

RETURN = r"""
told: {description: "Whose it is, and when it expires.", type: list, elements: str, returned: success}
kubeconfig: {description: Its text; empty in check mode., type: str, returned: success}
"""

import json

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.cnf_client import Refused, administrator, kubeconfig_of
from ansible_collections.playsmith.host.plugins.module_utils.cnf_record import read_record
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure


def made(name, hours, dry):
    admin = administrator(name)
    record = read_record(admin, name)
    if record is None:
        raise Refused("it was never instantiated, so it has no tenant: npx task cnf-instantiate %s" % name)
    namespace, account = record["namespace"], record["serviceAccount"]
    if dry:
        says = "%s: would make a kubeconfig of ServiceAccount %s in %s, good for %d h"
        return {"told": [says % (name, account, namespace, hours)], "kubeconfig": ""}
    end, kubeconfig = kubeconfig_of(admin, namespace, account, hours * 3600)
    told = "%s: ServiceAccount %s in %s, good until %s" % (name, account, namespace, end)
    return {"told": [told], "kubeconfig": json.dumps(kubeconfig, indent=2) + "\n"}


def main():
    module = AnsibleModule(
        argument_spec={"name": {"type": "str", "required": True}, "hours": {"type": "int", "default": 8}},
        supports_check_mode=True,
    )
    name = module.params["name"]
    try:
        module.exit_json(changed=False, **made(name, module.params["hours"], module.check_mode))
    except Failure as problem:
        module.fail_json(msg="%s: %s" % (name, problem))


if __name__ == "__main__":
    main()
