"""How far a host is a node, by the files that kubeadm leaves and by what answers."""

import fcntl

import pytest
from ansible_collections.playsmith.host.plugins.module_utils import kubeadm_node as info

WHOLE = ["kubelet.conf", "admin.conf", "manifests/etcd.yaml"]


@pytest.fixture
def host(monkeypatch, tmp_path):
    """Gives the host these files; who of the API server and etcd answers."""

    def holding(*paths, api=False, etcd=False):
        names = {
            "FOLDER": "",
            "KUBELET": "kubelet.conf",
            "ETCD": "manifests/etcd.yaml",
            "DATA": "member",
            "KEYS": "playsmith/encryption.yaml",
            "UNFINISHED": "unfinished",
            "KUBEADM": "kubeadm",
        }
        for name, path in names.items():
            monkeypatch.setattr(info, name, "%s/%s" % (tmp_path, path))
        monkeypatch.setattr(info, "NEEDED", tuple("%s/%s" % (tmp_path, path) for path in WHOLE))
        monkeypatch.setattr(info, "api_answers", lambda _: api)
        monkeypatch.setattr(info.etcd, "answers", lambda: etcd)
        for path in paths:
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text("    server: https://10.0.0.100:6443\n")
        return tmp_path

    return holding


@pytest.mark.parametrize(
    ("paths", "answers", "control_plane", "worker"),
    [
        ([], {}, "bare", "bare"),
        (WHOLE, {"api": True, "etcd": True}, "member", "member"),
        (WHOLE, {"api": True}, "silent", "member"),
        (WHOLE, {"etcd": True}, "silent", "member"),
        (["kubelet.conf"], {}, "leftovers", "member"),
        (["member"], {}, "leftovers", "bare"),
        (["manifests/kube-apiserver.yaml"], {}, "leftovers", "leftovers"),
        ([*WHOLE, "unfinished"], {"api": True, "etcd": True}, "half", "half"),
    ],
)
def test_states(host, paths, answers, control_plane, worker):
    host(*paths, **answers)
    assert (info.state_of("10.0.0.11:6443", info.at_once), info.state_of("", info.at_once)) == (control_plane, worker)


def test_a_control_plane_says_where_it_looks_what_it_lacks_and_what_its_etcd_does(host):
    folder = host("kubelet.conf", "member", etcd=True)
    found = info.node("10.0.0.11:6443")
    assert (found["server"], found["data"], found["etcd"]) == ("https://10.0.0.100:6443", True, "serves")
    assert found["lacks"] == ["%s/admin.conf" % folder, "%s/manifests/etcd.yaml" % folder]


def test_keys_count_where_there_is_one(host):
    folder = host("playsmith/encryption.yaml")
    assert info.node("a:1")["encryption"] == ""
    (folder / "playsmith/encryption.yaml").write_text("secret: x\n")
    assert len(info.node("a:1")["encryption"]) == 64


def test_a_worker_says_no_more_than_its_state_and_authority(host):
    host("pki/ca.crt")
    assert sorted(info.node("")) == ["authority", "state"]


def test_a_kubeadm_that_runs_is_waited_for(host):
    path = host("kubeadm") / "kubeadm"
    with open(path, "rb") as other, open(path, "rb") as own:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert not info.locks(own)
        fcntl.flock(other, fcntl.LOCK_UN)
        assert info.locks(own)


@pytest.mark.parametrize(
    ("paths", "answers", "seen"),
    [
        (WHOLE, {"api": True, "etcd": True}, "member"),
        # Whoever waits longer may see a member.
        (WHOLE, {"api": True}, None),
        (WHOLE, {"etcd": True}, None),
        ([*WHOLE, "unfinished"], {"api": True, "etcd": True}, None),
        (["kubelet.conf"], {}, None),
        ([], {}, None),
    ],
)
def test_what_answers_at_once_is_settled(host, paths, answers, seen):
    host(*paths, **answers)
    found = info.settled("10.0.0.11:6443")
    assert found.get("state") == seen
    assert not found or found == info.node("10.0.0.11:6443", info.at_once)


def test_what_kubeadm_works_on_is_not_settled(host):
    path = host("kubeadm", *WHOLE, api=True, etcd=True) / "kubeadm"
    assert info.settled("10.0.0.11:6443")["state"] == "member"
    with open(path, "rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert info.settled("10.0.0.11:6443") == {}
