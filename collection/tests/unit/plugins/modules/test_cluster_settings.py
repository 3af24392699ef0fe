"""When CoreDNS follows the registry of images; test/long/reconfigure.test.ts brings the rest to a real cluster."""

import json
import types

import pytest
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure
from ansible_collections.playsmith.host.plugins.modules import cluster_settings as module

OLD, NEW = "imageRepository: registry.k8s.io\n", "imageRepository: mirror.example.org/k8s\n"


def deployment(image):
    return {"kind": "Deployment", "spec": {"template": {"spec": {"containers": [{"image": image}]}}}}


def brought(monkeypatch, image, before, after):
    said = []
    made = [{"kind": "ConfigMap"}, deployment("mirror.example.org/k8s/coredns:v1.12.1")]
    monkeypatch.setattr(module, "present_of", lambda *_words: deployment(image))
    monkeypatch.setattr(module, "init_phase", lambda *_words: "manifests")
    monkeypatch.setattr(module, "run", lambda *_words, **_more: "\n".join(map(json.dumps, made)))
    monkeypatch.setattr(module, "kubectl", lambda *words: said.append(" ".join(words)))
    module.bring_dns("", before, after)
    return said


def test_coredns_comes_from_the_registry_of_the_other_images(monkeypatch):
    said = brought(monkeypatch, "registry.k8s.io/coredns/coredns:v1.12.1", OLD, NEW)
    assert said[0].startswith("set image deployment/coredns") and said[0].endswith(
        "=mirror.example.org/k8s/coredns:v1.12.1"
    )


def test_it_stays_where_nothing_changes_or_somebody_took_it_from_elsewhere(monkeypatch):
    assert brought(monkeypatch, "registry.k8s.io/coredns/coredns:v1.12.1", OLD, OLD) == []
    assert brought(monkeypatch, "own.example.org/coredns:v1", OLD, NEW) == []


def kubeadm_config(version):
    return "ClusterConfiguration:\nclusterName: edge\nkubernetesVersion: v%s\n" % version


@pytest.mark.parametrize("check_mode", [True, False])
def test_a_cluster_that_says_another_version_is_upgraded_first(monkeypatch, check_mode):
    monkeypatch.setattr(module, "look", lambda *_words: (kubeadm_config("1.36.4"), kubeadm_config("1.37.2")))
    given = {"configuration": "kubernetesVersion: v1.37.2\n", "parts": ["kubeadm-config"], "seconds": 1}
    with pytest.raises(Failure, match=r"says that it is 1\.36\.4, .*npx task run upgrade"):
        module.apply(types.SimpleNamespace(check_mode=check_mode), given)


def test_it_is_brought_the_rest_where_it_says_the_same(monkeypatch):
    done = []
    before = kubeadm_config("1.37.2")
    monkeypatch.setattr(module, "look", lambda *_words: (before, before.replace("edge", "other")))
    monkeypatch.setattr(module, "init_phase", lambda *words: done.append(words[1]))
    monkeypatch.setattr(module, "bring_dns", lambda *_words: None)
    given = {"configuration": "kubernetesVersion: v1.37.2\n", "parts": ["kubeadm-config"], "seconds": 1}
    assert module.apply(types.SimpleNamespace(check_mode=False), given)[0] == ["kubeadm-config"]
    assert done == ["upload-config kubeadm"]
