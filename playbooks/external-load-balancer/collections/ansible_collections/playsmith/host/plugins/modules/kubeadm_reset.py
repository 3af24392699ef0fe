#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: kubeadm_reset
short_description: Finds what a host holds of a cluster, and removes Kubernetes from it
version_added: 0.1.0
description:
  - What the node has in the cluster has to be gone already; kubeadm does not ask for it.
  - Removes only rules, links and files that Kubernetes and its plugins made, and no volume. Packages stay.
options:
  state:
    description: V(read) changes nothing.
    type: str
    choices: [read, absent]
    default: read
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
"""

EXAMPLES = r"""
- name: Remove Kubernetes
  playsmith.host.kubeadm_reset:
    state: absent
"""

RETURN = r"""
server:
  description: The URL where the kubelet of the host looks for its cluster; none where there is no kubelet.
  type: str
  returned: success
authority: {description: The SHA-256 of the certificate authority that the kubelet trusts., type: str, returned: success}
left: {description: Every file and link that a node leaves behind., type: list, elements: str, returned: success}
done: {description: "What was removed, or would be in check mode, one line each.", type: list, elements: str, returned: success}
"""

import base64
import glob
import hashlib
import os
import re
import shutil

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.host import first_match, output, read
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure, answer, run, works

KUBELET = "/etc/kubernetes/kubelet.conf"
NETWORK = "/etc/systemd/system/playsmith-network.service"
TRACES = (
    *("/etc/kubernetes/manifests/*", "/etc/kubernetes/pki/*", "/etc/kubernetes/playsmith", "/etc/kubernetes/*.conf"),
    *("/var/lib/etcd/*", "/var/lib/playsmith/reconfigure", "/var/lib/playsmith/unfinished"),
    # Written by an older Playsmith.
    "/var/lib/playsmith/applied",
    *("/var/lib/playsmith/network.json", "/var/lib/kubelet/config.yaml", "/var/lib/kubelet/pki"),
    *("/etc/cni/net.d/*", "/var/lib/cni/*"),
)
LINKS = (
    *("cni0", "flannel.1", "flannel-v6.1", "vxlan.calico", "vxlan-v6.calico"),
    *("cilium_host", "cilium_net", "cilium_vxlan", "kube-ipvs0", "nodelocaldns"),
)
RULES = re.compile(r'KUBE-|CNI-|FLANNEL|CILIUM_|cali[-:]|--comment "?playsmith')


def matching(*patterns):
    return [path for pattern in patterns for path in sorted(glob.glob(pattern)) if not path.endswith("/lost+found")]


def is_packaged(path):
    return output("dpkg-query", "--search", path) is not None


def links():
    return [link for link in LINKS if os.path.exists("/sys/class/net/" + link)]


def found():
    text = read(KUBELET)
    data = first_match(r"^ *certificate-authority-data: *(\S+)", text)
    left = [path for path in matching(*TRACES) if not is_packaged(path)]
    return {
        "server": first_match(r"^ *server: *(\S+)", text),
        "authority": hashlib.sha256(base64.b64decode(data)).hexdigest() if data else "",
        "left": left + links(),
    }


def remove(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
    elif os.path.lexists(path):
        os.unlink(path)


def empty(folder):
    """A folder may be a file system of its own."""
    for path in matching(folder + "/*", folder + "/.*"):
        remove(path)


def remove_routes():
    if not os.path.exists(NETWORK):
        return
    works("systemctl", "disable", "--now", os.path.basename(NETWORK))
    remove(NETWORK)
    remove("/usr/local/lib/playsmith/static-routes.py")
    works("systemctl", "daemon-reload")
    # Its routes carry this number.
    for family in ("-4", "-6"):
        works("ip", family, "route", "flush", "proto", "186")


def mounts(folder):
    points = re.findall(r"(?m)^(?:[^ \n]+ ){4}([^ \n]+) ", read("/proc/self/mountinfo"))
    return sorted((point for point in points if point.startswith(folder + "/")), reverse=True)


def empty_unmounted(folder):
    """A mount below it is a volume: its content is not ours to delete."""
    for point in mounts(folder):
        works("umount", point)
    if mounts(folder):
        raise Failure("something is still mounted below " + folder)
    empty(folder)


def remove_rules():
    for kind in ("iptables-nft", "iptables-legacy", "ip6tables-nft", "ip6tables-legacy"):
        rules = (output(kind + "-save") or "").splitlines(keepends=True)
        kept = [rule for rule in rules if not RULES.search(rule)]
        if kept != rules:
            run(kind + "-restore", text="".join(kept))
    for family in ("ip", "ip6"):
        works("nft", "delete", "table", family, "kube-proxy")
    if (output("ipvsadm", "--save") or "").strip():
        works("ipvsadm", "--clear")


def clean():
    remove_routes()
    works("systemctl", "stop", "kubelet")
    if shutil.which("kubeadm"):
        socket = "unix:///run/containerd/containerd.sock"
        run("kubeadm", "reset", "--force", "--cri-socket", socket, "--kubeconfig", "/dev/null")
    for folder in ("/var/lib/kubelet", "/var/lib/cni"):
        empty_unmounted(folder)
    empty("/var/lib/etcd")
    empty("/etc/kubernetes/manifests")
    ours = [path for path in TRACES if path.startswith("/var/lib/playsmith/")]
    folders = ["/etc/kubernetes/" + name for name in ("pki", "playsmith", "tmp")]
    for path in [*folders, *matching("/etc/kubernetes/*.conf"), "/run/playsmith", *ours]:
        remove(path)
    for path in matching("/etc/cni/net.d/*"):
        if not is_packaged(path):
            remove(path)
    for link in links():
        works("ip", "link", "delete", link)
    remove_rules()


def settle(given, dry):
    held = found()
    if given["state"] == "read":
        return False, [], held
    if not dry:
        clean()
    return True, ["remove " + path for path in held["left"]], held


def main():
    module = AnsibleModule(
        argument_spec={"state": {"type": "str", "choices": ["read", "absent"], "default": "read"}},
        supports_check_mode=True,
    )
    answer(module, lambda: settle(module.params, module.check_mode))


if __name__ == "__main__":
    main()
