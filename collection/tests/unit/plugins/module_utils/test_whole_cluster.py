"""What is found wrong with a cluster, and how little it is asked; test/lab/kubernetes.test.ts asks real ones."""

import json

import pytest
from ansible_collections.playsmith.host.plugins.module_utils import kubernetes, whole_cluster

NAMES = ["cp1", "cp2", "cp3", "worker1"]


def node(name):
    return {
        "metadata": {"name": name},
        "spec": {},
        "status": {"conditions": [{"type": "Ready", "status": "True"}], "nodeInfo": {"kubeletVersion": "v1.37.2"}},
    }


def pod(name, place, label, owner=""):
    return {
        "metadata": {"name": name, "labels": {"k8s-app": label}, "ownerReferences": [{"uid": owner}]},
        "spec": {"nodeName": place},
        "status": {
            "phase": "Running",
            "podIPs": [{"ip": "10.244.0.%d" % len(name)}],
            "conditions": [{"type": "Ready", "status": "True"}],
        },
    }


class Api:
    """Answers kubectl; what is taken from `objects` is not there any more."""

    def __init__(self):
        self.asked = []
        self.objects = {"deployment/coredns", "service/kube-dns"}
        self.silent = set()
        self.own = [pod("check-" + name, name, whole_cluster.POD, "now") for name in NAMES]

    def kubectl(self, *words, text=None):
        self.asked.append(words)
        if self.silent.intersection(words):
            raise kubernetes.Failure("kubectl get failed: it does not answer")
        if words[1] == "--raw":
            return "ok"
        return json.dumps(self.answer(words, text))

    def answer(self, words, text):
        if words[0] == "apply":
            assert json.loads(text)["kind"] == "DaemonSet"
            return {"metadata": {"uid": "now"}}
        if words[1] == "nodes":
            return {"items": [node(name) for name in NAMES]}
        if words[1] == "pods":
            return {"items": [*self.own, pod("dns-a", "cp1", "kube-dns"), pod("dns-bb", "worker1", "kube-dns")]}
        found = {"deployment/coredns": {"status": {"replicas": 2, "availableReplicas": 2}}}
        found["service/kube-dns"] = {"spec": {"clusterIPs": ["10.96.0.10"], "clusterIP": "10.96.0.10"}}
        listed = [each for each in found if each in words and each in self.objects]
        return {"items": [{"kind": each.split("/")[0].title(), **found[each]} for each in listed]}


@pytest.fixture
def api(monkeypatch):
    api = Api()
    monkeypatch.setattr(whole_cluster, "kubectl", api.kubectl)
    service = {"spec": {"clusterIP": "10.96.0.1", "ports": [{"port": 443}]}}
    monkeypatch.setattr(whole_cluster, "get", lambda *words: api.asked.append(words) or service)
    members = {"members": [{"name": name, "clientURLs": ["https://" + name]} for name in NAMES[:3]]}
    answers = {"/health": {"health": "true"}, "/v3/cluster/member/list": members}
    monkeypatch.setattr(whole_cluster.etcd, "ask", lambda path, *_, **__: answers[path])
    # It asks once.
    monkeypatch.setattr(whole_cluster, "patiently", lambda check, _: check())
    return api


def cluster():
    addresses = {name: "192.0.2.1%d" % index for index, name in enumerate(NAMES[:3])}
    given = {"nodes": NAMES, "meant": [], "control_planes": addresses, "port": 6443}
    return whole_cluster.Cluster({**given, "plugged": True, "version": "1.37.2", "image": "pause"})


def test_a_cluster_that_is_well_is_asked_little(api):
    whole = cluster()
    assert whole.problems() + whole.cordoned() + whole.dns_on_one_node() == []
    assert list(whole.targets()) == [
        "pod=cp1=10.244.0.9",
        "pod=cp2=10.244.0.9",
        "pod=cp3=10.244.0.9",
        "pod=worker1=10.244.0.13",
        "dns=dns-a=10.244.0.5",
        "dns=dns-bb=10.244.0.6",
        "dns=the Service of CoreDNS=10.96.0.10",
        "tcp=the Service of the API=10.96.0.1=443",
    ]
    assert len(api.asked) == 9


def test_each_api_server_that_is_not_ready_is_told_by_name(api):
    api.silent.add("https://192.0.2.11:6443")
    (line,) = cluster().problems()
    assert line.startswith("the API server of cp2 is not ready: ")


def test_a_service_of_coredns_that_is_gone_is_told_with_the_way(api):
    api.objects.remove("service/kube-dns")
    (line,) = cluster().problems()
    assert line.startswith("CoreDNS has no Service kube-system/kube-dns: make it again")


def test_nobody_is_told_to_make_a_service_that_could_not_be_read(api):
    api.silent.add("service/kube-dns")
    (line,) = cluster().problems()
    assert line.startswith("of CoreDNS 0 of 0 are available: ")


def test_pods_of_an_earlier_check_do_not_count(api):
    api.own[3]["metadata"]["ownerReferences"] = [{"uid": "before"}]
    (line,) = cluster().problems()
    assert line.startswith("no pod runs on worker1: ")
