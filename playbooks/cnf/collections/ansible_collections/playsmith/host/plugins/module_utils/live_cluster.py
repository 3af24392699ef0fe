"""A cluster that may lose a node: what it would not survive, as one of its control planes sees it."""

from __future__ import annotations

from ansible_collections.playsmith.host.plugins.module_utils import etcd
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure, again, get


def items(*words):
    """Tries for a minute: the endpoint may still lead to an API server that has just gone."""
    try:
        return again(60, lambda: get(*words)["items"])
    except Failure as problem:
        why = "the API of the cluster does not answer: " + str(problem).splitlines()[-1]
        raise Failure(without_quorum() or why) from problem


def without_quorum(members=None):
    """Why etcd has lost its quorum, and the way on that loses nothing; empty where it has not, or nobody knows."""
    try:
        listed = etcd.members() if members is None else members
    except Failure:
        return ""
    needed, silent = len(listed) // 2 + 1, [member for member in listed if not etcd.is_running(member)]
    if not listed or len(listed) - len(silent) >= needed:
        return ""
    names = ", ".join(sorted(member.get("name") or "one that never started" for member in silent))
    says = "etcd has lost its quorum: it does not run on %s, and %d of %d members are needed: start it there (power, kubelet, "
    way = "/etc/kubernetes/manifests/etcd.yaml; journalctl --unit kubelet, crictl ps --all). Reset none of them, their data is "
    return says % (names, needed, len(listed)) + way + "still needed. Only where it is lost: npx task restore"


def addresses(node):
    return [each["address"] for each in node["status"].get("addresses", []) if each["type"] == "InternalIP"]


def moving_pods(nodes):
    """Pods of these nodes: not those that go with their node, and not those that have ended."""
    pods = items("pods", "--all-namespaces")
    return [pod for pod in pods if pod["spec"].get("nodeName") in nodes and moves(pod)]


def moves(pod):
    metadata = pod["metadata"]
    owners = [owner["kind"] for owner in metadata.get("ownerReferences", []) if owner.get("controller")]
    mirrored = "kubernetes.io/config.mirror" in metadata.get("annotations", {})
    ended = pod["status"].get("phase") in ("Succeeded", "Failed") or metadata.get("deletionTimestamp")
    return not (mirrored or ended or "DaemonSet" in owners)


def strict_budgets():
    """Disruption budgets that allow no disruption now."""
    listed = items("poddisruptionbudgets", "--all-namespaces")
    return [each for each in listed if each["status"].get("disruptionsAllowed", 0) < 1]


def protecting(pod, budgets):
    """Names of those of the budgets that select the pod."""
    metadata = pod["metadata"]
    own = [each for each in budgets if each["metadata"]["namespace"] == metadata["namespace"]]
    labels = metadata.get("labels", {})
    return [each["metadata"]["name"] for each in own if matches(each["spec"].get("selector") or {}, labels)]


def matches(selector, labels):
    """What a disruption budget selects; an expression that is not understood protects."""
    wanted = selector.get("matchLabels") or {}
    if any(labels.get(key) != value for key, value in wanted.items()):
        return False
    for each in selector.get("matchExpressions") or []:
        value, values = labels.get(each["key"]), each.get("values") or []
        holds = {
            "In": value in values,
            "NotIn": value not in values,
            "Exists": value is not None,
            "DoesNotExist": value is None,
        }
        if not holds.get(each["operator"], True):
            return False
    return True
