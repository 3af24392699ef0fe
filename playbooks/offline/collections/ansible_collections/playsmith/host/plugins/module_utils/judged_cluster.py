"""What speaks against bringing a cluster to a release, as its first control plane sees it."""

from __future__ import annotations

import re
import urllib.error

from ansible_collections.playsmith.host.plugins.module_utils import etcd
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure, bracketed, find, get, kubectl
from ansible_collections.playsmith.host.plugins.module_utils.release import (
    GATE,
    PLUGIN,
    line,
    named,
    numbers,
    removed_settings,
)


def of_etcd(release, members, alarms):
    """All are well, of the line before or of the new one, where an earlier run was cut, and new enough."""
    problems = ["the etcd member %s %s" % (each["name"], each["unfit"]) for each in members if each["unfit"]]
    problems += ["etcd has the alarm %s: npx task %s" % (each, etcd.MENDS.get(each, "verify")) for each in alarms]
    wanted = numbers(release["etcd"]["line"])
    for each in (member for member in members if member["version"]):
        has = numbers(each["version"])
        if wanted[0] != has[0] or wanted[1] - has[1] not in (0, 1):
            says = "etcd of %s is %s, and goes one minor version at a time to the %s of %s"
            problems.append(says % (each["name"], each["version"], release["etcd"]["line"], named(release)))
    return problems


def of_etcd_patch(release, members, asked):
    """Problems and notices: members of the line before that are older than etcd's guide, or who runs this, asks."""
    since, refused = (asked, True) if asked else (release["etcd"]["from"], release["etcd"]["refused"])
    old = [each for each in members if since and each["version"] and numbers(each["version"]) < numbers(since)]
    old = [each for each in old if line(each["version"]) < numbers(release["etcd"]["line"])]
    if not old:
        return [], []
    listed = ", ".join("%s of %s" % (each["version"], each["name"]) for each in old)
    says = "etcd is %s, and its guide to %s begins at %s" % (listed, release["etcd"]["line"], since)
    way = ": bring Kubernetes to a patch release whose kubeadm brings that, or say --set upgrade_etcd_from=<version>"
    return ([says + way], []) if refused else ([], [says])


def look(member):
    seen = {"name": member.get("name") or "that never started", "version": "", "unfit": ""}
    if member.get("isLearner"):
        seen["unfit"] = "is still a learner"
    url = (member.get("clientURLs") or [""])[0]
    try:
        seen["version"] = etcd.ask("/v3/maintenance/status", {}, url).get("version", "")
        if str(etcd.ask("/health", url=url).get("health")) != "true":
            seen["unfit"] = "is not healthy"
    except urllib.error.HTTPError:
        # With an alarm, or without a leader, it says so by the status.
        seen["unfit"] = "is not healthy"
    except (OSError, ValueError) as error:
        seen["unfit"] = "does not answer: %s" % error
    return seen


def of_members(release, asked):
    try:
        listed = etcd.ask("/v3/cluster/member/list", {}).get("members", [])
        alarms = etcd.alarms()
    except (OSError, ValueError) as error:
        return ["etcd does not list its members: %s" % error], []
    members = [look(each) for each in listed]
    problems, notices = of_etcd_patch(release, members, asked)
    return of_etcd(release, members, sorted({str(each.get("alarm")) for each in alarms})) + problems, notices


def of_requests(release, where, metrics, allowed):
    """Who still asks for what the release does not serve; an API server forgets it when it ends."""
    asked = set()
    for labels in re.findall(r"^apiserver_requested_deprecated_apis\{(.*)\} 1", metrics, re.MULTILINE):
        label = dict(re.findall(r'(\w+)="([^"]*)"', labels))
        version = "/".join(filter(None, (label["group"], label["version"])))
        name, since = version + "/" + label["resource"], numbers(label["removed_release"])
        is_gone = name in release["removed_apis"] or (since and since <= [1, release["minor"]])
        if is_gone and version not in allowed and name not in allowed:
            asked.add(name)
    says = "the API server of %s was asked for %s, which %s does not serve: move who asks to a newer version, "
    more = "restart the API server, or say --set upgrade_forgone_apis=%s" % ",".join(sorted(asked))
    return [says % (where, ", ".join(sorted(asked)), named(release)) + more] if asked else []


def of_nodes(release, nodes):
    """No kubelet may be newer than the API server, nor more than three minor versions older."""
    for node in nodes:
        name, version = node["metadata"]["name"], node["status"]["nodeInfo"]["kubeletVersion"]
        behind = release["minor"] - [*numbers(version), 0, 0][1]
        if behind < 0:
            yield "the kubelet of %s is %s, newer than %s" % (name, version, named(release))
        elif behind > (3 if release["minor"] > 27 else 2):
            says = "the kubelet of %s is %s, too old for %s: bring it to a newer version first"
            yield says % (name, version, named(release))


def of_api_servers(release, addresses, port, allowed):
    for name, address in addresses.items():
        server = "https://%s:%d" % (bracketed(address), port)
        try:
            metrics = kubectl("get", "--raw", "/metrics", "--server", server, "--request-timeout", "20s")
        except Failure:
            yield "the API server of %s does not tell its metrics" % name
        else:
            yield from of_requests(release, name, metrics, allowed)


def of_configuration(release):
    removed = {
        "feature gate": (GATE, release["removed_gates"]),
        "admission plugin": (PLUGIN, release["removed_plugins"]),
    }
    for name in ("kubeadm-config", "kubelet-config", "kube-proxy"):
        found = find("configmap", name, "--namespace", "kube-system") or {}
        text = "\n".join(found.get("data", {}).values())
        yield from removed_settings(release, "the ConfigMap kube-system/" + name, text, removed)


def judge(given):
    release = given["release"]
    problems, notices = of_members(release, given["etcd_from"])
    problems += list(of_api_servers(release, given["control_planes"], given["port"], given["forgone_apis"]))
    problems += list(of_nodes(release, get("nodes")["items"]))
    return problems + list(of_configuration(release)), notices
