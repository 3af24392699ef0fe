"""Applies what a CNF is made of: the frame as the administrator, the rest as its tenant."""

from __future__ import annotations

import re
import time

from ansible_collections.playsmith.host.plugins.module_utils.cnf_client import Refused, changes, looking_as, title
from ansible_collections.playsmith.host.plugins.module_utils.cnf_record import MADE


def frame_with_mark(admin, cnf):
    """The namespace is marked where it is made for a CNF, so that only then it goes again. Says whether it is new."""
    space = next(thing for thing in cnf["frame"] if thing["kind"] == "Namespace")
    found = list(admin.found([space]).values())
    if found and found[0]["status"].get("phase") == "Terminating":
        raise Refused("the namespace %s is being deleted: wait until it is gone" % cnf["namespace"])
    labels = dict(space["metadata"].get("labels") or {})
    if not found or MADE in (found[0]["metadata"].get("labels") or {}):
        labels[MADE] = "true"
    marked = dict(space, metadata=dict(space["metadata"], labels=labels))
    return [marked if thing is space else thing for thing in cnf["frame"]], not found


def apply_frame(admin, cnf):
    """Namespace, tenant, rights and bounds, as the administrator of the cluster. Gives back what changed."""
    frame, is_new = frame_with_mark(admin, cnf)
    before = admin.found(frame)
    told = []
    # One after the other: nothing can be made in a namespace that is not there yet.
    for part in (frame[:1], frame[1:]):
        told += changes(before, admin.apply(part))
    end = time.monotonic() + 30
    account = ("get", "serviceaccount", "default", "--namespace=" + cnf["namespace"])
    while is_new and admin.call(*account).returncode != 0:
        if time.monotonic() > end:
            says = "Kubernetes gives the namespace %s no ServiceAccount: is the controller manager healthy?"
            raise Refused(says % cnf["namespace"])
        time.sleep(0.5)
    return told


def apply_objects(client, objects, is_fresh):
    """As the tenant. Rights that were given just now are not known everywhere at once."""
    end = time.monotonic() + (15 if is_fresh else 0)
    while True:
        try:
            before = client.found(objects)
            return list(changes(before, client.apply(objects)))
        except Refused as refused:
            if "orbidden" not in str(refused) or "exceeded quota" in str(refused) or time.monotonic() > end:
                raise
            time.sleep(1)


# What no right, quota or object that comes first would cure.
FAULT = re.compile(r" is invalid: |no matches for kind|failed to create typed patch|Apply failed with \d+ conflict")


def require_valid(admin, name, things):
    """The API server judges all before any is changed. What depends on another of them it may refuse, which tells nothing."""
    if judged(admin, things) is None:
        return
    faults = [fault for fault in (judged(admin, [thing]) for thing in things) if fault and FAULT.search(fault)]
    if faults:
        says = "%s\nNothing was changed. What Kubernetes does not change takes another name, or goes first and comes again: "
        way = "npx task cnf-terminate %s, which deletes its data as well, then npx task cnf-instantiate %s"
        raise Refused((says + way) % ("\n".join(dict.fromkeys(faults)), name, name))


def judged(admin, things):
    try:
        admin.apply(things, "--dry-run=server")
    except Refused as refused:
        return str(refused)
    return None


def look(admin, cnf, objects):
    """What would be made and changed; the API server judges it where the namespace is there already."""
    space = cnf["frame"][:1]
    if not admin.found(space):
        return ["would make " + title(thing) for thing in cnf["frame"] + objects]
    frame, _ = frame_with_mark(admin, cnf)
    told = list(changes(admin.found(frame), admin.apply(frame, "--dry-run=server")))
    client = looking_as(admin, cnf["namespace"], cnf["serviceAccount"]) or admin
    told += changes(client.found(objects), client.apply(objects, "--dry-run=server"))
    return ["would have " + each for each in told]
