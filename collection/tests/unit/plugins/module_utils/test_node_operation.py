"""What an operation on a node takes out of the cluster, by what the cluster says of that node."""

import pytest
from ansible_collections.playsmith.host.plugins.module_utils import node_operation

HEADS = {"cp1": "10.0.0.11", "cp2": "10.0.0.12", "cp3": "10.0.0.13"}
NODES = {**HEADS, "w1": "10.0.0.21", "w2": "10.0.0.22"}


def node(name):
    return {
        "metadata": {"name": name},
        "spec": {},
        "status": {
            "nodeInfo": {"machineID": name},
            "addresses": [{"type": "InternalIP", "address": NODES[name]}],
            "conditions": [{"type": "Ready", "status": "True"}],
        },
    }


def member(name):
    return {"ID": str(int(NODES[name][-2:])), "name": name, "peerURLs": ["https://%s:2380" % NODES[name]]}


@pytest.fixture
def judged(monkeypatch):
    """Replaces a node of a cluster with those members of etcd, of which some are sick; what the definition says is told."""

    def judge(name, control_planes, sick=()):
        monkeypatch.setattr(node_operation.etcd, "members", lambda: [member(each) for each in HEADS])
        monkeypatch.setattr(node_operation.etcd, "is_healthy", lambda each: each["name"] not in sick)
        monkeypatch.setattr(node_operation, "api_answers", lambda _: True)
        monkeypatch.setattr(node_operation, "without_quorum", lambda _: "")
        kinds = {"nodes": [node(each) for each in NODES]}
        monkeypatch.setattr(node_operation, "items", lambda kind: kinds.get(kind, []))
        monkeypatch.setattr(node_operation, "moving_pods", lambda _: [])
        monkeypatch.setattr(node_operation, "strict_budgets", lambda: [])
        held = {"machine": name, "server": "https://10.0.0.100:6443", "named": "edge-a", "ours": True}
        operation = node_operation.Operation(
            {
                **{"operation": "replace-node", "cluster": "edge-a", "targets": {name: NODES[name]}},
                **{"machines": {name: {**held, "lacking": [], "traces": True}}, "kubectl_host": "cp1", "port": 6443},
                **{"control_planes": control_planes, "workers": [each for each in NODES if each not in control_planes]},
                **{"servers": ["https://10.0.0.100:6443"], "minimum": 1, "recreate": False, "despite": []},
            }
        )
        return operation.judged()

    return judge


def test_a_node_that_is_well_and_what_the_definition_says_stays(judged):
    for name in ("cp3", "w1"):
        problems, done = judged(name, [*HEADS])
        assert (problems, done["out"]) == ([], [])
        assert done["notes"] == ["%s is well; nothing of it is taken out" % name]


def test_a_control_plane_that_becomes_a_worker_is_taken_out_with_its_member_of_etcd(judged):
    problems, done = judged("cp3", ["cp1", "cp2", "w1"])
    assert problems == []
    assert (done["out"], done["clean"], done["members"]) == (["cp3"], ["cp3"], {"cp3": ["d"]})


def test_a_control_plane_becomes_no_worker_where_etcd_would_have_no_majority_without_it(judged):
    problems, _ = judged("cp3", ["cp1", "cp2", "w1"], sick=["cp2"])
    assert problems == ["cp3 has to wait, cp2 of etcd is sick: heal it first"]


def test_a_worker_that_becomes_a_control_plane_is_taken_out(judged):
    problems, done = judged("w1", ["cp1", "cp2", "w1"])
    assert (problems, done["out"], done["members"]) == ([], ["w1"], {"w1": []})
