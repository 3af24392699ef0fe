"""Whether what a CNF is made of is ready, and the wait for that."""

from __future__ import annotations

import time

from ansible_collections.playsmith.host.plugins.module_utils.cnf_client import Refused, identity
from ansible_collections.playsmith.host.plugins.module_utils.cnf_reasons import condition, holds, reasons

WORKLOADS = ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job", "CronJob", "Pod")


def counted(thing, wanted, **numbers):
    """The first of the numbers that is not what is wanted, in words."""
    status = thing.get("status", {})
    if status.get("observedGeneration", 0) < thing["metadata"].get("generation", 0):
        return "nobody has looked at it yet"
    for words, field in numbers.items():
        if status.get(field, 0) != wanted:
            return "%d of %d replicas are %s" % (status.get(field, 0), wanted, words)
    return ""


def unready_workload(thing):
    """Why a workload is not ready, in words, or nothing."""
    kind, spec, status = thing["kind"], thing.get("spec", {}), thing.get("status", {})
    replicas = spec.get("replicas", 1)
    if kind == "Deployment":
        return counted(thing, replicas, updated="updatedReplicas", there="replicas", available="availableReplicas")
    if kind == "StatefulSet":
        rolling = spec.get("updateStrategy", {})
        whole = rolling.get("type") == "RollingUpdate" and not rolling.get("rollingUpdate", {}).get("partition")
        old = whole and replicas > 0 and status.get("updateRevision") != status.get("currentRevision")
        return counted(thing, replicas, ready="readyReplicas") or ("pods are of two revisions" if old else "")
    if kind == "DaemonSet":
        wanted = status.get("desiredNumberScheduled", 0)
        return counted(thing, wanted, updated="updatedNumberScheduled", ready="numberReady")
    if kind in ("ReplicaSet", "ReplicationController"):
        return counted(thing, replicas, ready="readyReplicas")
    if kind == "Job":
        return "" if holds(thing, "Complete") or spec.get("suspend") else "it has not completed"
    if kind == "Pod":
        phase = status.get("phase", "Pending")
        return "" if phase == "Succeeded" or holds(thing, "Ready") else "it is %s" % phase
    return ""


def is_final(thing):
    """True when waiting longer is of no use."""
    stuck = condition(thing, "Progressing").get("reason") == "ProgressDeadlineExceeded"
    return (thing["kind"] == "Deployment" and stuck) or (thing["kind"] == "Job" and holds(thing, "Failed"))


def of_claim(admin, claim):
    """A class may say that a claim is bound only when a pod wants it; then the pod tells."""
    phase, name = claim["status"].get("phase", "Pending"), claim["spec"].get("storageClassName")
    if phase == "Bound":
        return ""
    found = admin.objects("get", "storageclass", name, "--ignore-not-found") if name else []
    waits = bool(found) and found[0].get("volumeBindingMode") == "WaitForFirstConsumer"
    return "" if waits else "it is %s" % phase


def of_condition(thing, wanted):
    if not wanted or holds(thing, wanted):
        return ""
    said = condition(thing, wanted)
    return "its condition %s is %s %s" % (wanted, said.get("status", "not there"), said.get("message", ""))


def unready(admin, objects, conditions):
    """(object, why, whether that is final) of everything that is not as it should be."""
    kinds = (*WORKLOADS, "PersistentVolumeClaim")
    asked = {(each["kind"], each["name"]): each["condition"] for each in conditions}
    named = [(thing, asked.get((thing["kind"], thing["metadata"]["name"]))) for thing in objects]
    watched = [(thing, wanted) for thing, wanted in named if thing["kind"] in kinds or wanted]
    found = admin.found([thing for thing, _ in watched])
    problems = []
    for thing, wanted in watched:
        there = found.get(identity(thing))
        if there is None:
            problems.append((thing, "it is not there", True))
            continue
        is_claim = thing["kind"] == "PersistentVolumeClaim"
        why = (of_claim(admin, there) if is_claim else unready_workload(there)) or of_condition(there, wanted)
        if why:
            problems.append((there, why, is_final(there)))
    return problems


def wait(admin, namespace, objects, wanted):
    """Waits until everything is ready; what is not in time is refused with its causes."""
    end = time.monotonic() + wanted["seconds"]
    while True:
        problems = unready(admin, objects, wanted["conditions"])
        if not problems:
            return
        late = time.monotonic() > end
        if late or all(final for _, _, final in problems):
            when = "not ready after %d s" % wanted["seconds"] if late else "will not get ready"
            raise Refused("\n".join([when] + list(reasons(admin, namespace, problems))))
        time.sleep(2)
