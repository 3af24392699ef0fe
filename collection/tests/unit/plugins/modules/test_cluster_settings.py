"""When CoreDNS follows the registry of images; test/long/reconfigure.test.ts brings the rest to a real cluster."""

import json

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
