"""A change of a CNF that is taken back; test/long/cnf.test.ts does it in a real cluster."""

import contextlib

import pytest
from ansible_collections.playsmith.host.plugins.module_utils import cnf_removal
from ansible_collections.playsmith.host.plugins.modules import cnf
from ansible_collections.playsmith.host.plugins.modules.cnf import Refused


def thing(kind, name, **spec):
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "namespace": "amf"}, "spec": spec}


NAMESPACE = thing("Namespace", "amf")
OLD = [NAMESPACE, thing("ResourceQuota", "amf", pods=8), thing("RoleBinding", "view")]
NEW = [NAMESPACE, thing("ResourceQuota", "amf", pods=2), thing("RoleBinding", "admin"), thing("NetworkPolicy", "all")]
BASE = {"namespace": "amf", "serviceAccount": "amf", "pending": [], "previous": [], "levels": {}, "revision": 3}
RECORD = {**BASE, "digest": "", "frame": OLD, "objects": [thing("Deployment", "web", image="good")]}
CHANGED = {**BASE, "name": "amf", "frame": NEW, "objects": [thing("Deployment", "web", image="bad")], "wait": {}}


@pytest.fixture
def cluster(monkeypatch):
    """A cluster as what was applied last, by kind and name; its pods come up with a good image alone."""
    there = {}

    def apply(things):
        there.update({(each["kind"], each["metadata"]["name"]): each["spec"] for each in things})
        return ["changed"]

    def delete(_client, things, _seconds):
        for each in things:
            there.pop((each["kind"], each["metadata"]["name"]), None)
        return []

    def wait(_admin, _namespace, objects, _wait):
        if objects[0]["spec"]["image"] == "bad":
            raise Refused("no such image")

    monkeypatch.setattr(cnf, "apply_frame", lambda _, given: apply(given["frame"]))
    monkeypatch.setattr(cnf, "apply_objects", lambda _client, objects, _is_fresh: apply(objects))
    monkeypatch.setattr(cnf, "delete", delete)
    monkeypatch.setattr(cnf, "wait", wait)
    monkeypatch.setattr(cnf, "levels_for", lambda *_: {})
    monkeypatch.setattr(cnf, "tenant", lambda *_: contextlib.nullcontext())
    monkeypatch.setattr(cnf, "write_record", lambda *_: None)
    apply(OLD)
    return there


def test_a_change_that_is_taken_back_leaves_the_rights_and_bounds_of_before(cluster):
    with pytest.raises(Refused, match="revision 3 is back, and ready"):
        cnf.change(None, CHANGED, RECORD, True)
    assert cluster == {
        ("Namespace", "amf"): {},
        ("ResourceQuota", "amf"): {"pods": 8},
        ("RoleBinding", "view"): {},
        ("Deployment", "web"): {"image": "good"},
    }


def test_one_that_is_not_taken_back_keeps_what_it_brought(cluster):
    with pytest.raises(Refused, match="no such image"):
        cnf.change(None, CHANGED, RECORD, False)
    assert cluster["ResourceQuota", "amf"] == {"pods": 2}


def test_one_that_ended_half_way_is_taken_away_with_the_rights_that_it_brought(monkeypatch):
    deleted = []
    monkeypatch.setattr(cnf_removal, "delete", lambda _client, things, _seconds: deleted.extend(things) or [])
    half = {**RECORD, "pendingFrame": NEW[1:]}

    class Admin:
        @staticmethod
        def found(_things):
            return {}

    cnf_removal.leave(Admin, half, [])
    assert {(each["kind"], each["metadata"]["name"]) for each in deleted} == {
        ("ResourceQuota", "amf"),
        ("RoleBinding", "view"),
        ("RoleBinding", "admin"),
        ("NetworkPolicy", "all"),
    }
