"""Where CoreDNS should be spread to, by what the API says of pods and nodes."""

import pytest
from ansible_collections.playsmith.host.plugins.module_utils.core_dns import crowded

PODS = [{"metadata": {"name": name}, "spec": {"nodeName": "cp1"}} for name in ("a", "b")]


def node(name, *taints, ready="True", **spec):
    taint = [{"key": key, "effect": effect} for key, effect in taints]
    conditions = [{"type": "Ready", "status": ready}]
    return {"metadata": {"name": name}, "spec": {"taints": taint, **spec}, "status": {"conditions": conditions}}


CONTROL_PLANE = node("cp1", ("node-role.kubernetes.io/control-plane", "NoSchedule"))


def test_a_node_that_takes_one_is_named():
    assert crowded(PODS, [CONTROL_PLANE, node("worker1")]) == ("cp1", ["worker1"])


@pytest.mark.parametrize(
    "other",
    [
        node("worker1", ("dedicated", "NoSchedule")),
        # The scheduler may bring the pod back to where it was, in every run.
        node("worker1", ("dedicated", "PreferNoSchedule")),
        node("worker1", unschedulable=True),
        node("worker1", ready="False"),
    ],
)
def test_a_node_that_takes_none_or_is_only_avoided_is_none(other):
    assert crowded(PODS, [CONTROL_PLANE, other]) == ("cp1", [])


def test_pods_on_two_nodes_stand_well():
    pods = [PODS[0], {"metadata": {"name": "b"}, "spec": {"nodeName": "worker1"}}]
    assert crowded(pods, [CONTROL_PLANE, node("worker1")]) == ("", [])
