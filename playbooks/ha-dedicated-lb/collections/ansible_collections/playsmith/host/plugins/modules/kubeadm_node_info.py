#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: kubeadm_node_info
short_description: Reads how far this host is a node of a cluster that kubeadm makes
version_added: 0.1.0
description: Waits up to ten minutes for a kubeadm that runs, and up to two and a half for a control plane that has just been switched on.
options:
  server:
    description: Address and port of the API server of this host; empty, where it is a worker.
    type: str
    default: ""
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Read what each control plane is
  playsmith.host.kubeadm_node_info:
    server: 192.0.2.11:6443
"""

RETURN = r"""
state:
  description:
    - V(member) of a cluster, V(silent) where that is a control plane that does not answer, V(half) where a kubeadm that we started did
      not come to its end, V(leftovers) of something else, or V(bare).
  type: str
  returned: success
authority:
  description: The SHA-256 of the certificate authority, C(encryption) that of the keys of Secrets; empty, where there is none.
  type: str
  returned: success
etcd:
  description: Whether etcd V(serves), or V(runs) without a quorum; empty, where it does not run. C(data) says whether it keeps data.
  type: str
  returned: on control planes
lacks:
  description: What a control plane has, and this one has not; C(server) is where its kubelet looks, C(foreign) why it must stay as it is.
  type: list
  elements: str
  returned: on control planes
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.kubeadm_node import left_alone, node
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure


def main():
    module = AnsibleModule(argument_spec={"server": {"type": "str", "default": ""}}, supports_check_mode=True)
    try:
        found = left_alone(600, lambda: node(module.params["server"]))
    except Failure as problem:
        module.fail_json(msg=str(problem))
    module.exit_json(changed=False, **found)


if __name__ == "__main__":
    main()
