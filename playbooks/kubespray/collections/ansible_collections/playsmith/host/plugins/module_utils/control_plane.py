"""The parts of the control plane that the kubelet of this host runs from their manifests."""

from __future__ import annotations

import os
import signal

from ansible_collections.playsmith.host.plugins.module_utils import etcd
from ansible_collections.playsmith.host.plugins.module_utils.host import first_match, read
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import bracketed, patiently, run, wait, works

MANIFESTS = "/etc/kubernetes/manifests/"
KEYS = "/etc/kubernetes/playsmith/encryption.yaml"
COMPONENTS = ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler")
CTR = ("ctr", "--namespace", "k8s.io")
# Without them a control plane runs on, and does not come back after its next restart.
OWN_FILES = (
    *("admin.conf", "controller-manager.conf", "scheduler.conf", "pki/ca.crt", "pki/ca.key", "pki/sa.key"),
    *("pki/sa.pub", "pki/apiserver.crt", "pki/apiserver.key", "pki/front-proxy-ca.crt", "pki/front-proxy-ca.key"),
    *("pki/etcd/ca.crt", "pki/etcd/ca.key", *("manifests/%s.yaml" % each for each in COMPONENTS)),
)
# Arguments by which alone it is found what is stored: the values that the playbooks know, and what to do about another one.
STORES = {
    ("etcd", "data-dir"): (("/var/lib/etcd",), "stop etcd, move its data to /var/lib/etcd and name that folder there"),
    ("etcd", "wal-dir"): (("",), "stop etcd, move its log to /var/lib/etcd/member/wal and take the argument out"),
    ("kube-apiserver", "encryption-provider-config"): (
        ("", KEYS),
        "store Secrets readable as Playsmith's docs/import.md says, then take the argument out",
    ),
}
# As kubeadm writes an argument, and as a person might: in quotes, in one line with others, its value on the next line.
ARGUMENT = r"(?:^ *- |[\[,] *)[\"']?--%s(?:=|[\"']?(?:\n *- |, *))[\"']?([^\s\"',\]]+(?:,(?!-)[^\s\"',\]]+)*)"


def lacking(etc="/etc/kubernetes/"):
    return [etc + path for path in OWN_FILES if not os.path.exists(etc + path)]


def has(component):
    return os.path.isfile("%s%s.yaml" % (MANIFESTS, component))


def found_in(component, pattern):
    return first_match(pattern, read("%s%s.yaml" % (MANIFESTS, component)))


def argument(component, name):
    return found_in(component, ARGUMENT % name)


def foreign_stores(components=COMPONENTS):
    """Why this control plane has to stay as it is: it would not find any more what is stored. An empty manifest says nothing."""
    says = "%s has --%s=%s, and would lose what it finds there alone. Nothing was changed on it: %s"
    return [
        says % (component, name, argument(component, name), way)
        for (component, name), (known, way) in STORES.items()
        if component in components and found_in(component, r"(\S)") and argument(component, name) not in known
    ]


def api_url():
    address, port = (argument("kube-apiserver", name) for name in ("advertise-address", "secure-port"))
    return "https://%s:%s" % (bracketed(address), port)


def api_answers(url=None):
    """The API server of this host itself, not the one that the endpoint leads to."""
    words = ("get", "--raw", "/readyz", "--server", url or api_url(), "--request-timeout", "5s")
    return works("kubectl", *words, seconds=15)


def silent(components=("etcd", "api")):
    """Which of them does not answer."""
    problems = []
    if "etcd" in components and not etcd.answers():
        problems.append("the etcd member does not answer, or has no quorum")
    if "api" in components and not api_answers():
        problems.append("the API server is not ready")
    return problems


def idle():
    """A kubelet that does not run starts nothing again that ends."""
    is_idle = not works("systemctl", "is-active", "--quiet", "kubelet")
    return ["the kubelet does not run: systemctl start kubelet"] if is_idle else []


def running(component):
    """Its containers that run, with the process of each."""
    labels = 'labels."io.kubernetes.container.name"==%s,labels."io.kubernetes.pod.namespace"==kube-system' % component
    containers = run(*CTR, "containers", "list", "--quiet", labels).split()
    tasks = [line.split() for line in run(*CTR, "tasks", "list").splitlines()] if containers else []
    return [(task[0], int(task[1])) for task in tasks if task[0] in containers and task[2:3] == ["RUNNING"]]


def is_stopped(component):
    return not running(component)


def stop(component, number=signal.SIGTERM):
    for _, process in running(component):
        kill(process, number)


def kill(process, number):
    try:
        os.kill(process, number)
    except ProcessLookupError:
        pass


def restart_api_server():
    """One that shall end answers what it was asked, and then waits a minute for watches, which begin anew anyway."""
    processes = [process for _, process in running("kube-apiserver")]
    for process in processes:
        kill(process, signal.SIGTERM)
    patiently(10, lambda: not any(os.path.exists("/proc/%d" % process) for process in processes))
    for process in processes:
        kill(process, signal.SIGKILL)


def stop_all():
    """Stops the control plane: the kubelet first, since it would start everything again."""
    run("systemctl", "stop", "kubelet")
    for component in reversed(COMPONENTS):
        stop(component)
    for component in reversed(COMPONENTS):
        # Without etcd an API server waits a minute for what it still has to do, which is nothing that could be kept.
        if not patiently(10, lambda each=component: is_stopped(each)):
            stop(component, signal.SIGKILL)
        wait(30, lambda each=component: is_stopped(each), "%s does not stop" % component)
