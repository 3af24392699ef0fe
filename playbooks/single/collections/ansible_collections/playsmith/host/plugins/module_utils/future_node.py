"""What speaks against a host as a node, and what no two nodes may share."""

from __future__ import annotations

import base64
import glob
import hashlib
import ipaddress
import os
import re

from ansible_collections.playsmith.host.plugins.module_utils.host import (
    first_match,
    is_plain,
    listed,
    output,
    read,
    said,
)

ETC = "/etc/kubernetes/"
HOSTS = "/etc/hosts"
BLOCK = r"^# BEGIN machines of the cluster, by Playsmith\n(.*?)\n?# END machines of the cluster, by Playsmith$"
# A node that left a cluster may still have them.
PLUGINS = ("cni", "flannel", "cali", "tunl", "vxlan.calico", "cilium", "lxc", "kube-", "nodelocaldns")


def server_of(name):
    return first_match(r"server:\s*(\S+)", read(ETC + name))


def authority():
    data = first_match(r"certificate-authority-data:\s*(\S+)", read(ETC + "kubelet.conf"))
    text = base64.b64decode(data) if data else read(ETC + "pki/ca.crt").encode()
    return hashlib.sha256(text).hexdigest() if text else ""


def is_half_made(wanted):
    named = first_match(r'"?clusterName"?:\s*"?([^"\s]+)', read(ETC + "playsmith/kubeadm.yaml"))
    return named == wanted["cluster"] or server_of("bootstrap-kubelet.conf") in wanted["servers"]


def leftovers():
    signs = glob.glob(ETC + "manifests/*.yaml") + glob.glob(ETC + "*.conf") + glob.glob("/var/lib/etcd/member")
    return sorted(signs + glob.glob(ETC + "pki/ca.crt"))


def of_groups(wanted):
    server = server_of("kubelet.conf")
    if server and server not in wanted["servers"]:
        here = "it belongs to the cluster at " + server + ", this one is at " + wanted["servers"][0]
        return [here + ": take it out there first, or run kubeadm reset on it"]
    if not server and leftovers() and not is_half_made(wanted):
        listed = ", ".join(leftovers())
        return ["another cluster has left " + listed + ": npx task run reset --limit " + wanted["name"]]
    version = first_match(r"v(\S+)", output("/usr/bin/kubelet", "--version") or "") if server else ""
    if version and version != wanted["version"]:
        says = "it runs version %s of Kubernetes, the definition says %s: npx task run upgrade"
        return [says % (version, wanted["version"])]
    return []


def of_networks(wanted):
    held = {
        ("%s/%s" % (each["local"], each["prefixlen"]), link["ifname"])
        for link in listed("address")
        for each in link.get("addr_info", [])
    }
    routes = [route for route in listed("route") + listed("-6", "route") if re.match(r"[0-9a-f.:/]+$", route["dst"])]
    held |= {(route["dst"], route.get("dev", "a route")) for route in routes}
    for network in map(ipaddress.ip_network, wanted["networks"]):
        for text, device in sorted(held):
            other = ipaddress.ip_network(text, strict=False)
            clashes = other.version == network.version and other.prefixlen > 0 and other.overlaps(network)
            if clashes and not device.startswith(PLUGINS):
                yield "the network %s of the cluster overlaps %s of %s" % (network, other, device)


def of_machine(wanted):
    processors, needed = os.cpu_count() or 0, int(wanted["processors"])
    version1 = re.search(r"^memory\s+\d+\s+\d+\s+1$", read("/proc/cgroups"), re.MULTILINE)
    if processors < needed:
        yield "it has %d processor, %d are needed" % (processors, needed)
    if not version1 and "memory" not in read("/sys/fs/cgroup/cgroup.controllers").split():
        yield "its kernel limits no memory: start it with cgroup_enable=memory"


def identity(wanted):
    own = [
        link for link in listed("address") if wanted["address"] in [each["local"] for each in link.get("addr_info", [])]
    ]
    is_container = said("systemd-detect-virt", "--container") not in ("", "none")
    kinds = {
        "machine-id": read("/etc/machine-id").strip(),
        # A container shows that of the machine that it runs on.
        "product UUID": "" if is_container else read("/sys/class/dmi/id/product_uuid").strip(),
        "MAC address": own[0].get("address", "") if own else "",
    }
    return [kind + " " + value for kind, value in kinds.items() if value]


def names():
    """The SHA-256 of what Playsmith wrote to /etc/hosts; of none, or in a file that somebody else may write to, it is empty."""
    blocks = re.findall(BLOCK, read(HOSTS), re.MULTILINE | re.DOTALL)
    return hashlib.sha256(blocks[0].encode()).hexdigest() if len(blocks) == 1 and is_plain(HOSTS) else ""


def examine(wanted):
    is_joined = os.path.exists(ETC + "kubelet.conf")
    is_member = is_joined and server_of("kubelet.conf") in wanted["servers"]
    problems = of_groups(wanted) + list(of_machine(wanted))
    return {
        "problems": problems if is_joined else problems + list(of_networks(wanted)),
        "member": is_member,
        "authority": authority() if is_member else "",
        "identity": identity(wanted),
        "names": names(),
    }
