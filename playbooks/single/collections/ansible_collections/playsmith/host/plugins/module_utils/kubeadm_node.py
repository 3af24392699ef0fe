"""How far this host is a node of a cluster that kubeadm makes."""

from __future__ import annotations

import fcntl
import glob
import os

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


def left_alone(seconds, look):
    """What is seen while no kubeadm runs on this host; one that runs has its time to end."""
    if not os.path.exists(KUBEADM):
        return look()
    with open(KUBEADM, "rb") as file:
        wait(seconds, lambda: locks(file), "kubeadm has been running on this host for more than %d s" % seconds)
        return look()


def at_once(_seconds, test):
    return test()


def state_of(server, awaited=patiently):
    if os.path.exists(UNFINISHED):
        # What was begun may have made etcd wait for this host: let it come up before anybody else is asked.
        if server and os.path.exists(ETCD):
            awaited(40, etcd.answers)
        return "half"
    if all(map(os.path.exists, NEEDED if server else [KUBELET])):
        # A member that has just been switched on, or whose etcd is choosing a leader, answers soon.
        serves = not server or (awaited(120, lambda: api_answers("https://" + server)) and awaited(30, etcd.answers))
        return "member" if serves else "silent"
    traces = [KUBELET, DATA] if server else []
    return "leftovers" if any(map(os.path.exists, traces)) or glob.glob(FOLDER + "manifests/*.yaml") else "bare"


def etcd_does():
    if etcd.answers():
        return "serves"
    return "runs" if any(listens(loopback, 2381) for loopback in ("127.0.0.1", "::1")) else ""


def sum_of(path):
    return digest(path) if os.path.exists(path) else ""


def node(server, awaited=patiently):
    found = {"state": state_of(server, awaited), "authority": sum_of(FOLDER + "pki/ca.crt")}
    if server:
        found["server"] = first_match(r'^ *server: *([^ "\n]*)', read(KUBELET))
        found["encryption"] = sum_of(KEYS) if "secret:" in read(KEYS) else ""
        found.update(etcd=etcd_does(), data=os.path.exists(DATA))
        found["foreign"] = foreign_stores() if found["state"] in ("member", "silent") else []
        found["lacks"] = [path for path in NEEDED if not os.path.exists(path)]
    return found


def settled(server):
    """What it is, where it is a member and everything answers at once; else nothing, and whoever waits longer has to ask."""
    try:
        found = left_alone(0, lambda: node(server, at_once))
    except Failure:
        return {}
    return found if found["state"] == "member" else {}
