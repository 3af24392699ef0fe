"""A cluster as a whole, as one of its control planes sees it, and everything that is wrong with it."""

from __future__ import annotations

import concurrent.futures
import json
import time

from ansible_collections.playsmith.host.plugins.module_utils import etcd
from ansible_collections.playsmith.host.plugins.module_utils.core_dns import crowded
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import (
    Failure,
    bracketed,
    get,
    is_ready,
    outlasting,
    run,
)

POD = "playsmith-verify"
SYSTEM = ("--namespace", "kube-system")


def kubectl(*words, text=None):
    """Without an answer it says so within a minute."""
    return run("kubectl", "--request-timeout", "10s", *words, seconds=60, text=text)


def read(*words):
    try:
        return json.loads(kubectl("get", *words, "--output", "json") or "{}")
    except Failure:
        return {}


def unready(where, server):
    try:
        kubectl("get", "--raw", "/readyz", *server)
    except Failure as problem:
        return ["the API server %s is not ready: %s" % (where, str(problem).splitlines()[-1])]
    return []


def registered():
    return {node["metadata"]["name"]: node for node in read("nodes").get("items", [])}


def pods(selector):
    return read("pods", *SYSTEM, "--selector", selector).get("items", [])


def running(listed):
    living = [pod for pod in listed if not pod["metadata"].get("deletionTimestamp")]
    return [pod for pod in living if pod["status"].get("phase") == "Running" and pod["status"].get("podIPs")]


def addresses(pod):
    return ",".join(ip["ip"] for ip in pod["status"]["podIPs"])


def patiently(check, end):
    return outlasting(end - time.monotonic(), check, 0.3)


def manifest(image):
    labels = {"app.kubernetes.io/name": POD}
    own = {**labels, "k8s-app": POD}  # By which one question lists them and those of CoreDNS.
    spec = {
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "terminationGracePeriodSeconds": 1,
        "tolerations": [{"operator": "Exists"}],
        "containers": [{"name": "pause", "image": image, "imagePullPolicy": "IfNotPresent"}],
    }
    return {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": POD, "namespace": "kube-system", "labels": labels},
        "spec": {"selector": {"matchLabels": labels}, "template": {"metadata": {"labels": own}, "spec": spec}},
    }


class Cluster:
    """What the definition says of it, and which of its nodes are meant."""

    def __init__(self, given):
        self.given = given
        self.all = given["nodes"]
        self.meant = given["meant"] or self.all
        self.heads = {name: address for name, address in given["control_planes"].items() if name in self.meant}
        # What was seen last: nodes by name, the Deployment and the Service of CoreDNS by kind, its pods and ours.
        self.registered, self.dns, self.pods, self.uid = {}, {}, [], ""

    def api_servers(self):
        asked = {"behind the endpoint (see journalctl --unit haproxy --unit keepalived)": ()}
        for name, address in self.heads.items():
            asked["of " + name] = ("--server", "https://%s:%d" % (bracketed(address), self.given["port"]))
        with concurrent.futures.ThreadPoolExecutor() as asking:
            return [problem for found in asking.map(unready, asked, asked.values()) for problem in found]

    def members(self):
        problems = []
        for name, address in self.heads.items():
            try:
                healthy = str(etcd.ask("/health", url="https://%s:2379" % bracketed(address)).get("health")) == "true"
            except (OSError, ValueError) as error:
                problems.append("etcd of %s does not answer: %s" % (name, error))
                continue
            if not healthy:
                problems.append("etcd of %s says that it is not healthy" % name)
        return problems + (self.listed_members() if self.heads else [])

    def listed_members(self):
        try:
            listed = etcd.ask("/v3/cluster/member/list", {}).get("members", [])
        except (OSError, ValueError) as error:
            return ["etcd does not list its members: %s" % error]
        whole = [member for member in listed if member.get("clientURLs") and not member.get("isLearner")]
        started = {member.get("name", "") for member in whole}
        if started == set(self.given["control_planes"]) and len(listed) == len(started):
            return []
        names = ", ".join(sorted(member.get("name") or "one that never started" for member in listed))
        return ["etcd has the members %s, the control planes are %s" % (names, ", ".join(self.given["control_planes"]))]

    def of_node(self, name, node):
        if node is None:
            return ["%s is not registered as a node: npx task run workers" % name]
        conditions = {condition["type"]: condition for condition in node["status"].get("conditions", [])}
        state = conditions.get("Ready", {"status": "Unknown", "message": "kubelet never reported"})
        if self.given["plugged"] and state["status"] != "True":
            return ["%s is not Ready: %s" % (name, state.get("message", ""))]
        return []

    def nodes(self):
        self.registered = registered()
        meant = [name for name in self.all if name in self.meant]
        return [problem for name in meant for problem in self.of_node(name, self.registered.get(name))]

    def cordoned(self):
        """Whoever cordoned a node may have wanted it: an operation tells it, and whoever asks after health is told by a failure."""
        meant = {name: node for name, node in self.registered.items() if name in self.meant}
        out = sorted(name for name, node in meant.items() if node["spec"].get("unschedulable"))
        return ["%s is cordoned, and takes no pods: kubectl uncordon %s" % (name, name) for name in out]

    def versions(self):
        wanted = "v" + self.given["version"]
        runs = {name: node["status"]["nodeInfo"]["kubeletVersion"] for name, node in self.registered.items()}
        says = "%s runs %s, the definition says %s: npx task run upgrade"
        wrong = sorted(each for each in runs.items() if each[0] in self.meant and each[1] != wanted)
        return [says % (name, version, wanted) for name, version in wrong]

    def excused(self):
        """Pods of CoreDNS that stay on an unhealthy node which nobody asks about, until Kubernetes gives them up."""
        unfit = {name for name, node in registered().items() if name not in self.meant and not is_ready(node)}
        return [pod for pod in running(pods("k8s-app=kube-dns")) if pod["spec"].get("nodeName") in unfit]

    def core_dns(self):
        if not self.given["plugged"]:
            return []
        listed = read("deployment/coredns", "service/kube-dns", *SYSTEM, "--ignore-not-found").get("items", [])
        self.dns = {each["kind"]: each for each in listed}
        if [*self.dns] == ["Deployment"]:
            says = "CoreDNS has no Service kube-system/kube-dns: make it again, with the address that pods ask (clusterDNS in %s)"
            return [says % "/var/lib/kubelet/config.yaml"]
        status = self.dns.get("Deployment", {}).get("status", {})
        wanted, available = status.get("replicas", 0), status.get("availableReplicas", 0)
        if available == 0 or (available < wanted and available < wanted - len(self.excused())):
            says = "of CoreDNS %d of %d are available: kubectl -n kube-system describe pods -l k8s-app=kube-dns"
            return [says % (available, wanted)]
        return []

    def begin(self):
        try:
            words = ("--server-side", "--force-conflicts", "--output", "json", "--filename", "-")
            self.uid = json.loads(kubectl("apply", *words, text=json.dumps(manifest(self.given["image"]))))["metadata"][
                "uid"
            ]
        except Failure as problem:
            return ["no pod can be started: " + str(problem).splitlines()[-1]]
        return []

    def own_pods(self):
        """Those of an earlier check may still be going, under the same name."""
        owners = [(pod, pod["metadata"].get("ownerReferences", [])) for pod in running(self.pods)]
        return [pod for pod, owned in owners if any(owner["uid"] == self.uid for owner in owned)]

    def dns_pods(self):
        return [pod for pod in self.pods if pod["metadata"]["labels"]["k8s-app"] == "kube-dns"]

    def dns_on_one_node(self):
        place, others = crowded(self.dns_pods(), self.registered.values())
        says = "all pods of CoreDNS stand on %s, without which the cluster has no DNS: npx task run network"
        return [says % place] if others else []

    def targets(self):
        """Where pods, CoreDNS and Services are, for the checks from inside."""
        for pod in self.own_pods():
            yield "pod=%s=%s" % (pod["spec"]["nodeName"], addresses(pod))
        for pod in filter(is_ready, running(self.dns_pods())):
            yield "dns=%s=%s" % (pod["metadata"]["name"], addresses(pod))
        service = self.dns["Service"]["spec"]
        yield "dns=the Service of CoreDNS=%s" % ",".join(service.get("clusterIPs") or [service["clusterIP"]])
        service = get("service", "kubernetes", "--namespace", "default")["spec"]
        yield "tcp=the Service of the API=%s=%d" % (service["clusterIP"], service["ports"][0]["port"])

    def running_everywhere(self):
        self.pods = pods("k8s-app in (kube-dns, %s)" % POD)
        served = {pod["spec"]["nodeName"] for pod in self.own_pods()}
        lacking = [name for name in self.all if name in self.meant and name not in served]
        hint = "kubectl --namespace kube-system get events | grep " + POD  # Which outlive the pods of this check.
        return ["no pod runs on %s: %s" % (", ".join(lacking), hint)] if lacking else []

    def problems(self):
        """Waits for two minutes at most for what comes by itself."""
        end = time.monotonic() + 120
        found = patiently(self.api_servers, end)
        # Pods start, and CoreDNS gets ready, while the rest is looked at.
        unfit = patiently(self.begin, end) if self.given["plugged"] and not found else []
        # No waiting brings another version.
        found += patiently(self.members, end) + patiently(self.nodes, end) + self.versions() + unfit
        dns = patiently(self.core_dns, end)
        if self.given["plugged"] and not found:
            found = patiently(self.running_everywhere, end)
        return found + dns
