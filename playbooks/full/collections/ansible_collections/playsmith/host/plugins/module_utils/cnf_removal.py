"""Takes a CNF away, by what was recorded of it."""

from __future__ import annotations

import time

from ansible_collections.playsmith.host.plugins.module_utils.cnf_client import Refused, delete, identity, tenant, title
from ansible_collections.playsmith.host.plugins.module_utils.cnf_objects import apply_frame
from ansible_collections.playsmith.host.plugins.module_utils.cnf_record import (
    HOME,
    MADE,
    frame_of,
    inventory,
    read_record,
)


def others_in(admin, name, namespace):
    """Records of other CNFs that live in the same namespace."""
    found = admin.objects("get", "secrets", "--namespace=" + HOME)
    names = [each["metadata"]["name"] for each in found if each.get("type") == "playsmith.io/cnf"]
    records = [read_record(admin, each) for each in names if each != name]
    return [each for each in records if each and each["namespace"] == namespace]


def contents(admin, namespace):
    """What lies in a namespace, but for what Kubernetes itself puts into every one."""
    listed = ("api-resources", "--namespaced", "--verbs=list,delete", "--output=name")
    kinds = sorted(set(admin.said(*listed).split()) - {"events", "events.events.k8s.io"})
    things = admin.objects("get", ",".join(kinds), "--namespace=" + namespace, "--ignore-not-found")
    return [each for each in things if not is_usual(each)]


def is_going(thing):
    """True for what goes by itself, a little after what made it."""
    metadata = thing["metadata"]
    token = thing.get("type") == "kubernetes.io/service-account-token"
    gone = bool(metadata.get("deletionTimestamp") or metadata.get("ownerReferences"))
    return token or thing["kind"] == "Endpoints" or gone


def is_usual(thing):
    kind, name = thing["kind"], thing["metadata"]["name"]
    annotations = thing["metadata"].get("annotations") or {}
    token = kind == "Secret" and annotations.get("kubernetes.io/service-account.name") == "default"
    return token or (kind, name) in (("ServiceAccount", "default"), ("ConfigMap", "kube-root-ca.crt"))


def leave(admin, record, others):
    """Deletes what was made for the CNF, but for what another one in the namespace needs: (what was deleted, hints)."""
    needed = {identity(thing) for each in others for thing in frame_of(each)}
    done = delete(admin, [thing for thing in reversed(frame_of(record)) if identity(thing) not in needed], 60)
    space = [thing for thing in record["frame"] if thing["kind"] == "Namespace"]
    found = list(admin.found(space).values())
    if not found or others or MADE not in (found[0]["metadata"].get("labels") or {}):
        return done, []
    end = time.monotonic() + 300
    while True:
        left = contents(admin, record["namespace"])
        if time.monotonic() > end or not left or not all(is_going(thing) for thing in left):
            break
        time.sleep(2)
    if left:
        names = ", ".join(sorted({title(thing) for thing in left}))
        return done, ["the namespace %s stays, since it is not empty: %s" % (record["namespace"], names)]
    return done + delete(admin, space, 120), []


def delete_as(client, objects, is_fresh):
    """Rights that were given back just now are not known everywhere at once."""
    end = time.monotonic() + (15 if is_fresh else 0)
    while True:
        try:
            return delete(client, objects, 300)
        except Refused as refused:
            if "orbidden" not in str(refused) or time.monotonic() > end:
                raise
            time.sleep(1)


def remove(admin, given, dry):
    name = given["name"]
    record = read_record(admin, name)
    if record is None:
        return [], ["%s: it is not there" % name]
    objects = list(reversed(inventory(record)))
    space = [thing for thing in record["frame"] if thing["kind"] == "Namespace"]
    if dry:
        there = admin.found(objects)
        done = ["would delete " + title(thing) for thing in objects if identity(thing) in there] + ["would forget it"]
        return done, ["%s: %s" % (name, each) for each in done]
    done = []
    if admin.found(space):
        # A tenant that somebody took away is needed once more.
        fresh = apply_frame(admin, dict(record, name=name))
        there = admin.found(objects)
        # What it could never make it need not be able to delete.
        objects = [thing for thing in objects if identity(thing) in there]
        with tenant(admin, record["namespace"], record["serviceAccount"]) as client:
            done += delete_as(client, objects, bool(fresh))
    left, hints = leave(admin, record, others_in(admin, name, record["namespace"]))
    admin.said("delete", "secret", name, "--namespace=" + HOME, "--ignore-not-found")
    done += left
    return [*done, "forgot it"], ["%s: %s" % (name, each) for each in done + hints]
