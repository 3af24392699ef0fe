"""Where pods of CoreDNS stand."""

from __future__ import annotations

from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import is_ready


def takes_dns(node):
    """Ready, in service, and without a taint that CoreDNS does not tolerate, not even one that only repels."""
    borne = ("CriticalAddonsOnly", "node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master")
    is_borne = all(taint["key"] in borne for taint in node["spec"].get("taints", []))
    return is_ready(node) and not node["spec"].get("unschedulable") and is_borne


def are_settled(pods, nodes):
    """Whether nothing more comes by itself: every pod has its node, and every node is ready."""
    return all(pod["spec"].get("nodeName") for pod in pods) and all(is_ready(node) for node in nodes)


def staying(pods):
    """Without those that end, and those that ended but are still listed, as an evicted one is."""
    ended = ("Failed", "Succeeded")
    left = [pod for pod in pods if pod.get("status", {}).get("phase") not in ended]
    return [pod for pod in left if not pod["metadata"].get("deletionTimestamp")]


def serving(pods):
    return [pod for pod in staying(pods) if is_ready(pod)]


def crowded(pods, nodes):
    """The node on which all pods of CoreDNS stand, and the others that would take one."""
    living = staying(pods)
    places = {pod["spec"].get("nodeName", "") for pod in living}
    if len(living) < 2 or len(places) != 1 or "" in places:
        return "", []
    place = places.pop()
    return place, sorted(
        node["metadata"]["name"] for node in nodes if takes_dns(node) and node["metadata"]["name"] != place
    )
