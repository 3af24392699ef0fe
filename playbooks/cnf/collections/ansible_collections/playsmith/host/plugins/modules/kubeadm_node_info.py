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

import fcntl
import glob
import os

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils import etcd
from ansible_collections.playsmith.host.plugins.module_utils.control_plane import KEYS, api_answers, foreign_stores
from ansible_collections.playsmith.host.plugins.module_utils.host import digest, first_match, listens, read
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure, patiently, wait

FOLDER, KUBEADM = "/etc/kubernetes/", "/usr/bin/kubeadm"
KUBELET, ETCD = FOLDER + "kubelet.conf", FOLDER + "manifests/etcd.yaml"
NEEDED = (KUBELET, FOLDER + "admin.conf", ETCD)
DATA = "/var/lib/etcd/member"
UNFINISHED = "/var/lib/playsmith/unfinished"


def locks(file):
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def state_of(server):
    if os.path.exists(UNFINISHED):
        # What was begun may have made etcd wait for this host: let it come up before anybody else is asked.
        if server and os.path.exists(ETCD):
            patiently(40, etcd.answers)
        return "half"
    if all(map(os.path.exists, NEEDED if server else [KUBELET])):
        # A member that has just been switched on, or whose etcd is choosing a leader, answers soon.
        serves = not server or (
            patiently(120, lambda: api_answers("https://" + server)) and patiently(30, etcd.answers)
        )
        return "member" if serves else "silent"
    traces = [KUBELET, DATA] if server else []
    return "leftovers" if any(map(os.path.exists, traces)) or glob.glob(FOLDER + "manifests/*.yaml") else "bare"


def etcd_does():
    if etcd.answers():
        return "serves"
    return "runs" if any(listens(loopback, 2381) for loopback in ("127.0.0.1", "::1")) else ""


def sum_of(path):
    return digest(path) if os.path.exists(path) else ""


def node(server):
    found = {"state": state_of(server), "authority": sum_of(FOLDER + "pki/ca.crt")}
    if server:
        found["server"] = first_match(r'^ *server: *([^ "\n]*)', read(KUBELET))
        found["encryption"] = sum_of(KEYS) if "secret:" in read(KEYS) else ""
        found.update(etcd=etcd_does(), data=os.path.exists(DATA))
        found["foreign"] = foreign_stores() if found["state"] in ("member", "silent") else []
        found["lacks"] = [path for path in NEEDED if not os.path.exists(path)]
    return found


def main():
    module = AnsibleModule(argument_spec={"server": {"type": "str", "default": ""}}, supports_check_mode=True)
    server = module.params["server"]
    if not os.path.exists(KUBEADM):
        module.exit_json(changed=False, **node(server))
    try:
        with open(KUBEADM, "rb") as file:
            wait(600, lambda: locks(file), "kubeadm has been running on this host for more than ten minutes")
            found = node(server)
    except Failure as problem:
        module.fail_json(msg=str(problem))
    module.exit_json(changed=False, **found)


if __name__ == "__main__":
    main()
