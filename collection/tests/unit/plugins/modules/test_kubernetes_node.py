"""What leaves etcd with a node."""

import pytest
from ansible_collections.playsmith.host.plugins.module_utils import etcd
from ansible_collections.playsmith.host.plugins.modules import kubernetes_node

MEMBERS = [{"ID": "10", "name": "cp1"}, {"ID": "11", "name": "cp2"}, {"ID": "12"}]


@pytest.fixture
def removed(monkeypatch):
    gone = []
    monkeypatch.setattr(etcd, "members", lambda: MEMBERS)
    monkeypatch.setattr(etcd, "remove", lambda member: gone.append(member["ID"]))
    return gone


@pytest.mark.parametrize(
    ("members", "expected"), [(["b", "c"], ["11", "12"]), (["cp1"], ["10"]), (["ff"], []), ([""], []), ([], [])]
)
def test_members_are_removed_by_number_or_name(removed, members, expected):
    done = kubernetes_node.absent({"name": "cp1", "members": members}, None, False)
    assert (removed, len(done)) == (expected, len(expected))


def test_no_member_is_removed_in_check_mode(removed):
    assert kubernetes_node.absent({"name": "cp1", "members": ["a"]}, None, True) == ["removed the member cp1 from etcd"]
    assert removed == []


def test_etcd_is_not_asked_about_a_node_without_members(monkeypatch):
    monkeypatch.delattr(etcd, "members")
    assert kubernetes_node.absent({"name": "worker1", "members": []}, {}, True) == ["removed worker1 from the cluster"]
