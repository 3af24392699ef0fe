import pytest
from ansible_collections.playsmith.host.plugins.module_utils import etcd
from ansible_collections.playsmith.host.plugins.modules import etcd_member

MEMBERS = [{"ID": "10", "name": "cp1"}, {"ID": "11", "name": "cp2"}, {"ID": "12"}]


@pytest.fixture
def removed(monkeypatch):
    gone = []
    monkeypatch.setattr(etcd, "members", lambda: MEMBERS)
    monkeypatch.setattr(etcd, "remove", lambda member: gone.append(member["ID"]))
    return gone


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"ids": ["b", "c"], "name": ""}, ["11", "12"]),
        ({"ids": [], "name": "cp1"}, ["10"]),
        ({"ids": ["ff"], "name": ""}, []),
        ({"ids": [], "name": ""}, []),
    ],
)
def test_removes_members_by_number_or_name(removed, given, expected):
    changed, done, _ = etcd_member.settle(given, False)
    assert (removed, changed, len(done)) == (expected, bool(expected), len(expected))


def test_removes_nothing_in_check_mode(removed):
    assert etcd_member.settle({"ids": ["a"], "name": ""}, True)[0]
    assert removed == []
