"""kube-proxy on all nodes: given other settings, watched until every node has them, and given the old ones back else."""

from __future__ import annotations

import json
import os
import re
import time

from ansible_collections.playsmith.host.plugins.module_utils.host import forget, write
from ansible_collections.playsmith.host.plugins.module_utils.kubeadm import KEPT, init_phase, last_lines
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure, find, kubectl

SYSTEM = ("--namespace", "kube-system")
BEFORE = KEPT + "kube-proxy.json"


def present_of(kind, name):
    return find(kind, name, *SYSTEM) or {}


def image_of(daemon_set):
    return daemon_set["spec"]["template"]["spec"]["containers"][0]["image"] if daemon_set else ""


def rolled(since):
    """Whether every node has the kube-proxy that was asked for; why it will not come to that is raised."""
    found = present_of("daemonset", "kube-proxy")
    status = found["status"]
    wanted = status.get("desiredNumberScheduled", 0)
    there = (status.get("updatedNumberScheduled", 0), status.get("numberAvailable", 0))
    if status.get("observedGeneration") == found["metadata"]["generation"] and there == (wanted, wanted):
        return True
    pods = json.loads(kubectl(*SYSTEM, "get", "pods", "--selector", "k8s-app=kube-proxy", "--output", "json"))
    for pod in pods["items"]:
        for state in pod["status"].get("containerStatuses", []):
            begun = (
                time.mktime(time.strptime(pod["metadata"]["creationTimestamp"], "%Y-%m-%dT%H:%M:%SZ")) - time.timezone
            )
            if begun >= since - 2 and state["restartCount"] >= 2 and not state["ready"]:
                name, node = pod["metadata"]["name"], pod["spec"]["nodeName"]
                log = kubectl(*SYSTEM, "logs", "--previous", "--tail", "200", name)
                errors = [line for line in log.splitlines() if re.match(r"[EF]\d{4} |Error|.*\"command failed\"", line)]
                raise Failure(
                    "ends again and again on %s. It said: %s" % (node, last_lines("\n".join(errors) or log, 2))
                )
    return False


def wait(since, seconds):
    end = time.monotonic() + seconds
    while not rolled(since):
        if time.monotonic() > end:
            raise Failure(
                "is not on every node within %d s: kubectl -n kube-system get pods -l k8s-app=kube-proxy" % seconds
            )
        time.sleep(2)


def roll(seconds):
    since = int(time.time())
    kubectl(*SYSTEM, "rollout", "restart", "daemonset/kube-proxy")
    wait(since, seconds)


def kept_objects():
    """What was there, without what the API adds by itself."""
    kept = []
    for kind in ("configmap", "daemonset"):
        found = present_of(kind, "kube-proxy")
        found["metadata"] = {
            key: found["metadata"][key] for key in ("name", "namespace", "labels") if key in found["metadata"]
        }
        found.pop("status", None)
        kept.append(found)
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": kept})


def bring_proxy(configuration, seconds):
    os.makedirs(KEPT, mode=0o700, exist_ok=True)
    if not os.path.exists(BEFORE):
        write(BEFORE, kept_objects())
    try:
        init_phase(configuration, "addon kube-proxy")
        roll(seconds)
    except Failure as error:
        try:
            kubectl("replace", "--filename", BEFORE)
            roll(seconds)
        except Failure as second:
            raise Failure("kube-proxy %s. With its old settings it %s" % (error, second)) from None
        forget(BEFORE)
        raise Failure("kube-proxy %s. It has its old settings again" % error) from None
    forget(BEFORE)
