"""Whose tokens are taken back, and whose members of etcd are forgotten."""

import base64

import pytest
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure
from ansible_collections.playsmith.host.plugins.modules import kubeadm_invitations as invitations

MEMBERS = [{"ID": 1, "peerURLs": ["https://10.0.0.11:2380"]}, {"ID": 2, "peerURLs": ["https://[fd00::12]:2380"]}]


def secret(name, description):
    return {"metadata": {"name": name}, "data": {"description": base64.b64encode(description.encode()).decode()}}


SECRETS = [
    secret("bootstrap-token-a", "playsmith-workers"),
    secret("bootstrap-token-b", "made by hand"),
    secret("bootstrap-token-c", "Proxy for managing TTL for the kubeadm-certs secret"),
    {"metadata": {"name": "kubeadm-certs"}},
]


@pytest.fixture
def done(monkeypatch):
    seen = []
    monkeypatch.setattr(invitations.kubernetes, "get", lambda *_: {"items": SECRETS})
    monkeypatch.setattr(invitations.kubernetes, "kubectl", lambda *words: seen.append(" ".join(words)))
    monkeypatch.setattr(invitations.etcd, "members", lambda: MEMBERS)
    monkeypatch.setattr(invitations.etcd, "remove", lambda member: seen.append("forget %d" % member["ID"]))
    return seen


def given(**more):
    return {"description": "playsmith-workers", "control_plane": False, "joining": {}, "config": "", **more}


def test_tokens_of_others_stay(done):
    assert invitations.take_back(given(), False) == (True, ["deleted the Secret bootstrap-token-a"], {})
    assert done == ["delete secret bootstrap-token-a --namespace kube-system --ignore-not-found"]


def test_uploaded_certificates_go_with_the_invitation_of_control_planes(done):
    invitations.take_back(given(description="playsmith-control-plane", control_plane=True), False)
    assert done == ["delete secret bootstrap-token-c kubeadm-certs --namespace kube-system --ignore-not-found"]


def test_what_a_run_left_that_was_cut_goes_with_all_of_ours(done):
    invitations.take_back(given(description="playsmith", control_plane=True), False)
    assert done == [
        "delete secret bootstrap-token-a bootstrap-token-c kubeadm-certs --namespace kube-system --ignore-not-found"
    ]


def test_check_mode_deletes_nothing_and_invites_nobody(done):
    assert invitations.take_back(given(), True) == (False, [], {})
    assert invitations.invite(given(joining={"worker1": "10.0.0.21"}), True) == (True, [], {})
    assert done == []


def test_a_control_plane_is_forgotten_by_its_address_before_it_joins_again(done, monkeypatch):
    printed = {
        "kubeadm init": "x\n" + "a" * 64 + "\n",
        "kubeadm token": "join --token t.k --discovery-token-ca-cert-hash sha256:b",
    }
    monkeypatch.setattr(invitations.kubernetes, "run", lambda *words: printed[" ".join(words[:2])])
    joining = {"cp2": "fd00::12"}
    changed, _, more = invitations.invite(given(joining=joining, control_plane=True, config="/x"), False)
    assert done == ["forget 2", "delete node --ignore-not-found --wait=false cp2"]
    assert (changed, more["invitation"]) == (
        True,
        {"certificate_key": "a" * 64, "token": "t.k", "authority": "sha256:b"},
    )


@pytest.mark.usefixtures("done")
def test_what_kubeadm_prints_otherwise_is_a_failure(monkeypatch):
    monkeypatch.setattr(invitations.kubernetes, "run", lambda *_: "nothing of it")
    with pytest.raises(Failure, match="looks like --token"):
        invitations.invite(given(joining={"worker1": "10.0.0.21"}), False)


def test_a_secret_that_holds_no_text_is_none_of_ours(done, monkeypatch):
    odd = {"metadata": {"name": "odd"}, "data": {"description": base64.b64encode(b"\xff\xfe").decode()}}
    monkeypatch.setattr(invitations.kubernetes, "get", lambda *_: {"items": [odd, *SECRETS]})
    assert invitations.take_back(given(), False) == (True, ["deleted the Secret bootstrap-token-a"], {})
    assert len(done) == 1
