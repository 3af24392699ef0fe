"""What runs and is not as it was brought, where no phase compares it: each a line for a person, with what mends it."""

from __future__ import annotations

import contextlib
import datetime
import glob
import json
import os
import re
import stat

from ansible_collections.playsmith.host.plugins.module_utils import control_plane, control_plane_node, etcd, static_pods
from ansible_collections.playsmith.host.plugins.module_utils.host import output
from ansible_collections.playsmith.host.plugins.module_utils.host import read as text_of
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import (
    CONFIG,
    UNMARKED,
    Failure,
    marks,
    outlasting,
)
from ansible_collections.playsmith.host.plugins.module_utils.whole_cluster import SYSTEM, kubectl, read, registered

ETC = "/etc/kubernetes"
KUBELET = "/var/lib/kubelet/config.yaml"
KUBELET_KEYS = "/var/lib/kubelet/pki"
KUBELET_CERTIFICATE = KUBELET_KEYS + "/kubelet-client-current.pem"
DATA = "/var/lib/etcd/member"
# Kubernetes' own, a pod network's, a cloud's.
COMPONENTS_TAINT = re.compile(r"(kubernetes\.io|cilium\.io|projectcalico\.org)/|^CriticalAddonsOnly$")
# How long what comes by itself is waited for, in seconds.
PATIENCE = 20
# Below this many days somebody should know; kubeadm's last a year, the kubelet renews its own after about nine months.
DAYS = 30


def modes():
    """Keys, credentials and the data of etcd are root's alone; the rest is written by root alone."""
    for path in sorted(glob.glob(ETC + "/**", recursive=True) + glob.glob(KUBELET_KEYS + "/*") + glob.glob(DATA)):
        state = os.lstat(path)
        is_secret = path == DATA or (path.endswith((".key", ".conf", ".pem")) and stat.S_ISREG(state.st_mode))
        wrong = stat.S_IMODE(state.st_mode) & (0o077 if is_secret else 0o022)
        if state.st_uid != 0:
            yield "%s belongs to the user %d, not to root: chown root:root %s" % (path, state.st_uid, path)
        elif wrong and not stat.S_ISLNK(state.st_mode):
            mode = stat.S_IMODE(state.st_mode)
            yield "%s has the mode %04o, not %04o: chmod %04o %s" % (path, mode, mode - wrong, mode - wrong, path)


def foreign_pods():
    # A control plane that lost its keys is one still: nobody may be told to take its components away.
    known = {name + ".yaml" for name in control_plane.COMPONENTS}
    for path in sorted(glob.glob(ETC + "/manifests/*")):
        if os.path.basename(path) not in known:
            yield "the kubelet runs a pod of %s, which nobody here brought: look at it, and keep it or move it" % path


def arguments(component):
    """What a static pod runs with and its manifest does not say, or the other way round."""
    wanted = set(static_pods.Pod(component, text_of(static_pods.path_of(component))).command)
    for _, process in control_plane.running(component):
        differing = sorted(set(static_pods.arguments_of(process)) ^ wanted)
        if differing:
            says = "%s runs with other arguments than its manifest says (%s): systemctl restart kubelet"
            yield says % (component, ", ".join(differing))


def of_control_plane(node):
    found = outlasting(PATIENCE, lambda: control_plane_node.components(node))
    with contextlib.suppress(OSError, ValueError, Failure):
        for component in filter(control_plane.has, control_plane.COMPONENTS):
            found += arguments(component)
    return control_plane_node.lacking(node) + found


def certificates(now):
    paths = [path for path in glob.glob(ETC + "/pki/**/*.crt", recursive=True) if os.path.basename(path) != "ca.crt"]
    for path in [*sorted(paths), KUBELET_CERTIFICATE]:
        said = output("openssl", "x509", "-noout", "-enddate", "-in", path) if os.path.exists(path) else None
        if said is None:
            continue
        end = datetime.datetime.strptime(said.strip().partition("=")[2], "%b %d %H:%M:%S %Y GMT")
        days = (end.replace(tzinfo=datetime.timezone.utc) - now).days
        if days < DAYS:
            mends = "journalctl --unit kubelet" if path == KUBELET_CERTIFICATE else "npx task rotate-certificates"
            yield "%s ends in %d days: %s" % (path, days, mends)


def of_node(name):
    if not os.path.exists(KUBELET):
        return []
    now = datetime.datetime.now(datetime.timezone.utc)
    found = [*control_plane.idle(), *modes(), *foreign_pods(), *certificates(now)]
    return found + (of_control_plane(name) if any(map(control_plane.has, control_plane.COMPONENTS)) else [])


def alarms():
    with contextlib.suppress(OSError, ValueError):
        for each in etcd.alarms():
            kind, member = str(each.get("alarm")), int(each["memberID"])
            yield "etcd has the alarm %s of %x: npx task %s" % (kind, member, etcd.MENDS.get(kind, "verify"))


def strangers(names):
    for name in sorted(set(registered()) - set(names)):
        says = "%s is registered as a node, and no machine of the definition is called so: add it there"
        yield (says + ", or kubectl drain %s and kubectl delete node %s") % (name, name, name)


def taints():
    """Those that neither a phase nor Kubernetes and its components gave."""
    given = marks()
    for name, node in sorted(registered().items()):
        own = given.get(node["metadata"]["uid"], UNMARKED)["taints"]
        for taint in node["spec"].get("taints", []):
            key = taint["key"] + ":" + taint["effect"]
            if key not in own and not COMPONENTS_TAINT.search(taint["key"]):
                says = "%s has the taint %s, which the definition does not say: kubectl taint node %s %s-"
                yield says % (name, key, name, key)


def kube_proxy(version, wanted):
    proxy = read("daemonset", "kube-proxy", *SYSTEM)
    if not proxy:
        return
    image = proxy["spec"]["template"]["spec"]["containers"][0]["image"]
    tag = image.partition("@")[0].rpartition(":")[2]
    if tag != "v" + version:
        yield "kube-proxy runs %s, the definition says v%s: npx task run upgrade" % (image, version)
    # Of what it wants itself it may have been told to want none.
    ready = proxy.get("status", {}).get("numberReady", 0)
    if ready < wanted:
        says = "of kube-proxy %d of %d are ready: kubectl -n kube-system describe pods -l k8s-app=kube-proxy"
        yield says % (ready, wanted)


def seconds(text):
    """Of a duration as Go writes it; none where it is something else."""
    parts = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?", text)
    return sum(int(part or 0) * unit for part, unit in zip(parts.groups(), (3600, 60, 1))) if parts and text else None


def plain(value):
    """A scalar as it compares: no quotes, and 2m0s is 120 seconds."""
    text = (json.dumps(value) if isinstance(value, (bool, int, float)) else str(value)).strip().strip("\"'")
    lasts = seconds(text)
    return text if lasts is None else "%d s" % lasts


def kubelet(name, wanted):
    """The settings that a kubelet works with; its file may be another since it began."""
    try:
        runs = dict(json.loads(kubectl("get", "--raw", "/api/v1/nodes/%s/proxy/configz" % name))["kubeletconfig"])
    except (Failure, ValueError, KeyError, TypeError, RecursionError):
        return
    for key, value in wanted.items():
        # Empty and nothing mean a default, which the kubelet names.
        if (
            key in runs
            and plain(value) not in ("", "0", "0 s", "null", "[]", "{}")
            and plain(runs[key]) != plain(value)
        ):
            says = "the kubelet of %s works with %s: %s, the cluster's configuration says %s: npx task reconfigure, or where"
            says += " its file has that already, systemctl restart kubelet"
            yield says % (name, key, plain(runs[key]), plain(value))


def kubelets(names):
    text = read("configmap", "kubelet-config", *SYSTEM).get("data", {}).get("kubelet", "")
    # kubeadm lets each node keep the resolver that it has.
    unlike = ("apiVersion", "kind", "resolvConf")
    wanted = {key: value for key, value in re.findall(r"(?m)^(\w+): (\S.*)$", text) if key not in unlike}
    ready = registered()
    for name in names:
        if name in ready:
            yield from kubelet(name, wanted)


def of_cluster(cluster):
    """All that `verify` finds without waiting and without pods, and what differs beside."""
    found = cluster.api_servers()
    if found:
        return found
    found += cluster.members() + cluster.nodes() + cluster.cordoned() + cluster.versions() + cluster.core_dns()
    found += [*alarms(), *strangers(cluster.all), *taints(), *kube_proxy(cluster.given["version"], len(cluster.all))]
    return [*found, *kubelets(cluster.all)]


def patiently_of_cluster(cluster):
    """Where nobody answers any more, that is what differs."""
    try:
        return outlasting(PATIENCE, lambda: of_cluster(cluster)) if os.path.exists(CONFIG) else []
    except Failure as problem:
        return [str(problem)]
