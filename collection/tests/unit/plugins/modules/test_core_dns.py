"""A pod of CoreDNS that moves, by what the API says meanwhile."""

import pytest
from ansible_collections.playsmith.host.plugins.module_utils import kubernetes
from ansible_collections.playsmith.host.plugins.modules import core_dns as module


def ready(status):
    return {"conditions": [{"type": "Ready", "status": status}]}


def pod(name, place, status="True", **more):
    return {"metadata": {"name": name, **more}, "spec": {"nodeName": place}, "status": ready(status)}


NODES = [{"metadata": {"name": name}, "spec": {}, "status": ready("True")} for name in ("cp1", "worker1")]
BEFORE = [pod("a", "cp1"), pod("b", "cp1")]
LEAVING = pod("b", "cp1", deletionTimestamp="2026-11-27T00:00:00Z")


def moved(monkeypatch, *then, before=BEFORE, awaits=True):
    """What kubectl was asked for, and the looks at the pods that were not needed."""
    said, looks = [], iter([before, *then])

    def get(kind, *_words):
        answer = NODES if kind == "nodes" else next(looks)
        if isinstance(answer, Exception):
            raise answer
        return {"items": answer}

    monkeypatch.setattr(module, "get", get)
    monkeypatch.setattr(module, "kubectl", lambda *words: said.append(" ".join(words)))
    monkeypatch.setattr(kubernetes.time, "sleep", lambda _seconds: None)
    return module.spread(60, awaits, False), said, list(looks)


def test_a_pod_moves_until_its_successor_is_ready_whether_or_not_it_has_ended(monkeypatch):
    starting = [pod("a", "cp1"), LEAVING, pod("c", "worker1", "False")]
    there = [pod("a", "cp1"), LEAVING, pod("c", "worker1")]
    (changed, done, _), said, left = moved(monkeypatch, [pod("a", "cp1"), LEAVING], starting, there)
    assert changed and done == ["b leaves cp1: all pods of CoreDNS stood there, and worker1 would take one"]
    assert said == ["delete pod b --namespace kube-system --wait=false"] and left == []


@pytest.mark.parametrize(
    "gone",
    [
        pod("z", "cp1", deletionTimestamp="2026-11-27T00:00:00Z"),
        {**pod("z", "cp1", "False"), "status": {"phase": "Failed", **ready("False")}},
    ],
)
def test_a_pod_that_ends_or_was_evicted_is_neither_moved_nor_waited_for(monkeypatch, gone):
    there = [gone, pod("a", "cp1"), pod("c", "worker1")]
    _, said, _ = moved(monkeypatch, there, before=[gone, *BEFORE])
    assert said == ["delete pod b --namespace kube-system --wait=false"]


def test_its_successor_is_left_to_what_follows(monkeypatch):
    _, said, left = moved(monkeypatch, [pod("a", "cp1"), LEAVING], awaits=False)
    assert said == ["delete pod b --namespace kube-system --wait=false"] and len(left) == 1


def test_a_successor_that_never_gets_ready_is_named(monkeypatch):
    monkeypatch.setattr(kubernetes.time, "monotonic", iter(range(0, 10_000, 100)).__next__)
    with pytest.raises(module.Failure, match=r"b was deleted, and has no successor that is ready .*: kubectl"):
        moved(monkeypatch, *[[pod("a", "cp1")]] * 9)


def test_a_question_that_fails_while_a_successor_is_awaited_is_asked_again(monkeypatch):
    there = [pod("a", "cp1"), pod("c", "worker1")]
    changed, _, _ = moved(monkeypatch, kubernetes.Failure("kubectl get failed: timed out"), there)[0]
    assert changed


def test_a_successor_of_which_nobody_tells_is_named_with_what_the_last_question_met(monkeypatch):
    monkeypatch.setattr(kubernetes.time, "monotonic", iter(range(0, 10_000, 100)).__next__)
    with pytest.raises(
        module.Failure, match=r"b was deleted, and has no successor .* \(kubectl get failed: refused\)$"
    ):
        moved(monkeypatch, *[kubernetes.Failure("kubectl get failed: refused")] * 9)
