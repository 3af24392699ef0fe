"""What is applied, renewed and waited for; test/long/kubelets/cloud-provider.test.ts has a controller initialise real nodes."""

import base64
import json

import pytest
from ansible_collections.playsmith.host.plugins.module_utils.cnf_client import identity
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure
from ansible_collections.playsmith.host.plugins.modules import cloud_controller as module

CCM = {
    "apiVersion": "apps/v1",
    "kind": "DaemonSet",
    "metadata": {"name": "ccm", "namespace": "kube-system"},
    "spec": {"template": {"spec": {"image": "ccm:v1"}}},
}


class Api:
    """An API server that keeps what is applied."""

    def __init__(self):
        self.kept = {}

    def found(self, objects):
        return {identity(each): self.kept[identity(each)] for each in objects if identity(each) in self.kept}

    def apply(self, objects, *words):
        applied = {identity(each): self.stored(each) for each in objects}
        if "--dry-run=server" not in words:
            self.kept.update(applied)
        return applied

    def stored(self, thing):
        """What is there keeps its identity."""
        uid = self.kept.get(identity(thing), {"metadata": {"uid": "uid-%d" % len(self.kept)}})["metadata"]["uid"]
        return dict(thing, metadata={**thing["metadata"], "uid": uid})


@pytest.fixture
def api(monkeypatch, tmp_path):
    made, config = Api(), tmp_path / "admin.conf"
    config.write_text("")
    monkeypatch.setattr(module, "CONFIG", str(config))
    monkeypatch.setattr(module, "Client", lambda *_: made)
    return made


def given(configuration="[Global]\n", thing=CCM):
    content = base64.b64encode(json.dumps({"objects": [thing]}).encode()).decode()
    return {"state": "applied", "content": content, "configuration": configuration}


def test_the_controller_and_its_configuration_are_applied_once(api):
    made = ["made Secret cloud-config", "made DaemonSet ccm"]
    assert module.settle(given(), True) == (True, made, {})
    assert api.kept == {}
    assert module.settle(given(), False) == (True, made, {})
    assert module.settle(given(), False) == (False, [], {})
    kept = api.kept[("", "Secret", "kube-system", "cloud-config")]
    assert base64.b64decode(kept["data"]["cloud.conf"]) == b"[Global]\n"
    assert "annotations" not in kept["metadata"]


def template(api):
    return api.kept[identity(CCM)]["spec"]["template"]


def test_another_configuration_is_another_template_so_that_kubernetes_rolls_the_controller_out(api):
    module.settle(given(), False)
    before = template(api)
    assert module.settle(given("[Other]\n"), False)[1] == ["changed Secret cloud-config", "changed DaemonSet ccm"]
    assert template(api) != before
    assert "Other" not in json.dumps(template(api))


def test_a_run_that_was_cut_after_the_secret_is_brought_to_its_end(api):
    module.settle(given(), False)
    api.kept.update(api.apply([module.secret("[Other]\n")]))
    assert module.settle(given("[Other]\n"), False)[1] == ["changed DaemonSet ccm"]
    assert module.settle(given("[Other]\n"), False) == (False, [], {})


@pytest.mark.usefixtures("api")
def test_another_manifest_is_applied():
    module.settle(given(""), False)
    other = dict(CCM, spec={"template": {"spec": {"image": "ccm:v2"}}})
    assert module.settle(given("", other), False)[1] == ["changed DaemonSet ccm"]


def node(name, *taints):
    return {"metadata": {"name": name}, "spec": {"taints": [{"key": key} for key in taints]}}


@pytest.mark.usefixtures("api")
def test_nodes_are_waited_for_by_name(monkeypatch):
    nodes = [node("w1", module.TAINT), node("w2", "dedicated"), node("stranger", module.TAINT)]
    monkeypatch.setattr(module, "items", lambda _: nodes)
    look = {"state": "initialised", "nodes": ["w1", "w2", "w3"], "seconds": 0}
    with pytest.raises(Failure, match=r"^w1: no cloud controller has initialised the node"):
        module.settle(look, False)
    assert module.settle(look, True)[0] is True
    assert module.settle({**look, "nodes": ["w2"]}, False) == (False, [], {})


@pytest.mark.usefixtures("api")
def test_a_host_without_a_cluster_is_left_alone(monkeypatch):
    monkeypatch.setattr(module, "CONFIG", "/nonexistent")
    assert module.settle(given(), False) == (False, [], {})
