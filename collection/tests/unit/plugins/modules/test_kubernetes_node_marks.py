"""What of a node's marks is removed, by a record that no kubelet may change."""

import json

import pytest
from ansible_collections.playsmith.host.plugins.module_utils import kubernetes
from ansible_collections.playsmith.host.plugins.modules import kubernetes_node_marks

FORGED = json.dumps({"labels": ["node-restriction.kubernetes.io/tenant", "b"], "taints": ["dedicated:NoSchedule"]})


class Cluster:
    """Nodes and the record of their marks, as kubectl of the administrator sees and changes them."""

    def __init__(self):
        self.nodes, self.record, self.ends_at = {}, None, None

    def add(self, name, uid, **labels):
        annotations = {"playsmith.dev/marks": FORGED}
        self.nodes[name] = {
            "metadata": {"name": name, "uid": uid, "labels": labels, "annotations": annotations},
            "spec": {},
        }

    def get(self, _kind):
        return {"items": list(self.nodes.values())}

    def find(self, _kind, _name, *_where):
        return self.record

    def kubectl(self, *words, text=None):
        if words[0] == self.ends_at:
            raise KeyboardInterrupt
        if words[0] == "apply":
            self.record = json.loads(text)
            return
        node, patch = self.nodes[words[2]], json.loads(words[-1])
        has = node["metadata"]["labels"]
        has.update(patch.get("metadata", {}).get("labels", {}))
        node["metadata"]["labels"] = {key: value for key, value in has.items() if value is not None}
        node["spec"].update(patch.get("spec", {}))

    def mark(self, labels, *taints, dry=False, meant=()):
        nodes = {name: {"labels": labels, "taints": list(taints)} for name in self.nodes}
        return kubernetes_node_marks.mark({"nodes": nodes, "meant": list(meant)}, dry)[0]

    def labels(self, name="w1"):
        return self.nodes[name]["metadata"]["labels"]


@pytest.fixture
def cluster(monkeypatch):
    made = Cluster()
    for word in ("get", "find", "kubectl"):
        monkeypatch.setattr(kubernetes, word, getattr(made, word))
    return made


def test_what_is_wanted_no_more_is_removed_and_nothing_that_somebody_else_gave(cluster):
    cluster.add("w1", "1", c="3")
    assert cluster.mark({"a": "1", "b": "2"}, {"key": "own", "effect": "NoSchedule"})
    assert not cluster.mark({"a": "1", "b": "2"}, {"key": "own", "effect": "NoSchedule"})
    cluster.nodes["w1"]["spec"]["taints"].append({"key": "foreign", "effect": "NoExecute"})
    assert cluster.mark({"a": "1"}, dry=True)
    assert cluster.labels() == {"a": "1", "b": "2", "c": "3"}
    assert cluster.mark({"a": "1"})
    assert cluster.labels() == {"a": "1", "c": "3"}
    assert cluster.nodes["w1"]["spec"]["taints"] == [{"key": "foreign", "effect": "NoExecute"}]
    assert not cluster.mark({"a": "1"})


def test_what_its_kubelet_says_of_a_node_removes_nothing(cluster):
    cluster.add("w1", "1", **{"node-restriction.kubernetes.io/tenant": "x", "b": "2"})
    cluster.nodes["w1"]["spec"]["taints"] = [{"key": "dedicated", "effect": "NoSchedule"}]
    before = json.dumps(cluster.nodes)
    assert not cluster.mark({})
    assert json.dumps(cluster.nodes) == before


@pytest.mark.parametrize("note", ["no JSON", "[]", "{}", "null", '{"labels": 1}', "[" * 100000, '{"labels": [[]]}'])
def test_a_record_that_is_damaged_stops_nothing_and_removes_nothing(cluster, note):
    cluster.add("w1", "1", a="2", b="2")
    cluster.record = {"data": {"1": note}}
    assert cluster.mark({"a": "1"})
    assert cluster.labels() == {"a": "1", "b": "2"}
    assert cluster.record["data"] == {"1": '{"labels": ["a"], "taints": []}'}


def test_another_node_of_the_name_of_one_that_is_gone_keeps_what_it_was_given(cluster):
    cluster.add("w1", "1")
    cluster.mark({"a": "1", "b": "2"})
    cluster.add("w1", "2", b="of somebody else")
    cluster.mark({"a": "1"})
    assert cluster.labels() == {"a": "1", "b": "of somebody else"}
    assert list(cluster.record["data"]) == ["2"]


def test_of_a_change_that_was_cut_nothing_is_forgotten(cluster):
    cluster.add("w1", "1")
    cluster.mark({"a": "1"})
    cluster.ends_at = "patch"
    with pytest.raises(KeyboardInterrupt):
        cluster.mark({"b": "2"})
    cluster.ends_at = None
    cluster.mark({"b": "2"})
    assert cluster.labels() == {"b": "2"}
    cluster.mark({})
    assert cluster.labels() == {}


def test_nodes_that_are_not_meant_keep_what_is_noted_of_them(cluster):
    cluster.add("w1", "1")
    cluster.add("w2", "2")
    cluster.mark({"a": "1"})
    cluster.mark({}, meant=["w1"])
    assert [cluster.labels("w1"), cluster.labels("w2")] == [{}, {"a": "1"}]
    cluster.mark({})
    assert cluster.labels("w2") == {}
