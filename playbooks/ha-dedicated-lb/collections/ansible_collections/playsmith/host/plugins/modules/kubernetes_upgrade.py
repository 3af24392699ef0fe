#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: kubernetes_upgrade
short_description: Finds every reason not to upgrade a node or a cluster, and lets kubeadm upgrade
version_added: 0.1.0
description: Knows clusters of kubeadm.
options:
  state:
    description:
      - V(examined) changes nothing, and finds what of this host has another version, and why not to upgrade.
      - V(judged) changes nothing, and finds on a control plane what speaks against O(release) in the cluster as a whole.
      - V(applied) upgrades the cluster when it has another version, else what kubeadm runs on this node.
    type: str
    choices: [examined, judged, applied]
    default: examined
  version:
    description: The version of Kubernetes, like V(1.37.2).
    type: str
    required: true
  release:
    description: What the release does not run on, as C(files/preflight/release.yml) of a bundle says it.
    type: dict
    default: {}
  control_planes:
    description: The address of each control plane.
    type: dict
    default: {}
  port:
    description: The port of their API servers.
    type: int
    default: 6443
  etcd_from:
    description: The oldest etcd to go on from, instead of what its guide asks.
    type: str
    default: ""
  forgone_apis:
    description: APIs that the release does not serve, and that nobody needs any more.
    type: list
    elements: str
    default: []
  options:
    description: Further options of kubeadm.
    type: list
    elements: str
    default: []
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
"""

EXAMPLES = r"""
- name: Check the preconditions of the upgrade
  playsmith.host.kubernetes_upgrade:
    version: 1.37.2
"""

RETURN = r"""
behind: {description: What of this host has an older version., type: list, elements: str, returned: when O(state=examined)}
marked: {description: Nodes that an upgrade took out of service., type: list, elements: str, returned: when O(state=examined)}
problems: {description: Every reason not to upgrade., type: list, elements: str, returned: success}
notices: {description: "What nobody refuses, but nobody has tested either.", type: list, elements: str, returned: success}
done: {description: "What was upgraded, or would be in check mode, one line each.", type: list, elements: str, returned: success}
"""

import os
import re

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils import control_plane, judged_cluster
from ansible_collections.playsmith.host.plugins.module_utils.host import first_match, output, program_of
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import (
    CORDONED,
    answer,
    find,
    get,
    is_ready,
    patiently,
    run,
)
from ansible_collections.playsmith.host.plugins.module_utils.release import numbers, of_host


def judge(what, version, wanted):
    """Whether it is behind, and every reason why it cannot get there."""
    if not re.match(r"\d+\.\d+\.\d+", version):
        return [], ["the version of %s is not known" % what]
    has, wants = numbers(version), numbers(wanted)
    problems = []
    if has > wants:
        problems.append("%s is %s, newer than %s, and Kubernetes never goes back" % (what, version, wanted))
    if wants[0] != has[0] or wants[1] - has[1] > 1:
        problems.append("%s is %s, and one minor version is the most at a time" % (what, version))
    return ([] if has == wants else [what]), problems


def version_of(program):
    return (output(program, "--version") or "").partition("v")[2].strip()


def versions():
    """What this host has of Kubernetes, each with its version."""
    yield "kubelet", version_of("kubelet")
    # A run that was cut may have replaced the program, but not restarted it.
    running = version_of(program_of("kubelet"))
    if running:
        yield "the running kubelet", running
    for component in control_plane.COMPONENTS[1:] if control_plane.has("kube-apiserver") else ():
        yield component, control_plane.found_in(component, r"^ *image: *\S+:v(\S+)")


def cluster_version():
    found = find("configmap", "kubeadm-config", "--namespace", "kube-system") or {"data": {}}
    return first_match(r"^kubernetesVersion: v(\S+)", found["data"].get("ClusterConfiguration", ""))


def unready():
    nodes = get("nodes")["items"]
    return ["node %s is NotReady" % node["metadata"]["name"] for node in nodes if not is_ready(node)]


def examine_cluster():
    """Problems, marked nodes and the version of the cluster; none where its API does not answer."""
    problems = control_plane.silent()
    if "the API server is not ready" in problems:
        return problems, [], None
    # A run that was interrupted may have just restarted a kubelet.
    patiently(60, lambda: not unready(), 2)
    nodes = [node["metadata"] for node in get("nodes")["items"]]
    marked = [node["name"] for node in nodes if node.get("annotations", {}).get(CORDONED)]
    return problems + unready(), marked, cluster_version()


def examine(given):
    has, marked = dict(versions()), []
    problems = [] if os.path.isfile("/etc/kubernetes/kubelet.conf") else ["the host is no node of a cluster yet"]
    if control_plane.has("kube-apiserver"):
        more, marked, cluster = examine_cluster()
        problems += more + control_plane.foreign_stores()
        has.update({} if cluster is None else {"cluster": cluster})
    judgements = [judge(what, version, given["version"]) for what, version in has.items()]
    behind = [what for names, _ in judgements for what in names]
    problems += [problem for _, more in judgements for problem in more]
    more, notices = of_host(given["release"], True) if behind and given["release"] else ([], [])
    return False, [], {"behind": behind, "marked": marked, "problems": problems + more, "notices": notices}


def apply(given, dry):
    version = "v" + given["version"]
    is_first = control_plane.has("kube-apiserver") and cluster_version() != given["version"]
    words = ["apply", version, "--yes"] if is_first else ["node"]
    if not dry:
        run("kubeadm", "upgrade", *words, *given["options"])
    return True, ["kubeadm upgrade " + " ".join(words)], {"problems": [], "notices": []}


def settle(given, dry):
    if given["state"] == "applied":
        return apply(given, dry)
    if given["state"] == "examined":
        return examine(given)
    problems, notices = judged_cluster.judge(given)
    return False, [], {"problems": problems, "notices": notices}


def main():
    module = AnsibleModule(
        argument_spec={
            "state": {"type": "str", "choices": ["examined", "judged", "applied"], "default": "examined"},
            "version": {"type": "str", "required": True},
            "release": {"type": "dict", "default": {}},
            "control_planes": {"type": "dict", "default": {}},
            "port": {"type": "int", "default": 6443},
            "etcd_from": {"type": "str", "default": ""},
            "forgone_apis": {"type": "list", "elements": "str", "default": []},
            "options": {"type": "list", "elements": "str", "default": []},
        },
        supports_check_mode=True,
    )
    answer(module, lambda: settle(module.params, module.check_mode))


if __name__ == "__main__":
    main()
