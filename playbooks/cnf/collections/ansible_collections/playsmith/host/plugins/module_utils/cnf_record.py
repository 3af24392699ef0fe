"""What is recorded of a CNF that was instantiated."""

from __future__ import annotations

import base64
import copy
import hashlib
import json
import zlib

from ansible_collections.playsmith.host.plugins.module_utils.cnf_client import Refused, identity

# A namespace that no tenant reaches. What is recorded there goes and comes with etcd, like the objects themselves.
HOME = "playsmith-cnfs"
MADE = "playsmith.io/made-for-cnf"


def read_record(admin, name):
    """What is known of a CNF that was instantiated, or None.

    {"namespace", "serviceAccount", "revision" (the last that became ready; 0: none yet), "digest", "frame", "objects",
    "previous", "pending" (what a change that did not end may have left), "levels" (Kind/name: replicas that it was scaled to)}
    """
    found = admin.objects("get", "secret", name, "--namespace=" + HOME, "--ignore-not-found")
    return json.loads(zlib.decompress(base64.b64decode(found[0]["data"]["record"]))) if found else None


def write_record(admin, name, record):
    """A Secret, since manifests may hold what is one."""
    data = base64.b64encode(zlib.compress(json.dumps(record, sort_keys=True).encode(), 9)).decode()
    if len(data) > 1000000:
        says = "its manifests are too large to be recorded: %d KB when compressed, 750 KB at most"
        raise Refused(says % (len(data) // 1024))
    home = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": HOME}}
    secret = {
        "apiVersion": "v1",
        "kind": "Secret",
        "type": "playsmith.io/cnf",
        "metadata": {"name": name, "namespace": HOME},
        "data": {"record": data},
    }
    for thing in (home, secret):
        if thing is secret or not admin.found([thing]):
            how = ("--server-side", "--force-conflicts", "--field-manager=playsmith", "--filename=-")
            admin.said("apply", *how, given=json.dumps(thing))


def required_record(admin, name):
    record = read_record(admin, name)
    if record is None:
        raise Refused("it was never instantiated: npx task cnf-instantiate %s" % name)
    return record


def digest_of(cnf):
    parts = {key: cnf[key] for key in ("namespace", "serviceAccount", "frame", "objects")}
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def distinct(things):
    known = {}
    for thing in things:
        known.setdefault(identity(thing), thing)
    return list(known.values())


def inventory(record):
    """Everything that may be there of it, the newer first."""
    return distinct(record["objects"] + record["pending"])


def frame_of(record):
    """Rights and bounds that may be there of it, without the namespace; those of a change that ended half-way are noted beside."""
    things = record["frame"] + record.get("pendingFrame", [])
    return distinct(thing for thing in things if thing["kind"] != "Namespace")


def missing_from(wanted, there):
    """What is there and no longer wanted, the last thing first."""
    keep = {identity(thing) for thing in wanted}
    return [thing for thing in reversed(there) if identity(thing) not in keep]


def with_levels(objects, levels):
    """The objects with the replicas that somebody scaled to."""
    scaled = copy.deepcopy(objects)
    for thing in scaled:
        key = "%s/%s" % (thing["kind"], thing["metadata"]["name"])
        if key in levels:
            thing["spec"]["replicas"] = levels[key]
    return scaled


def levels_for(cnf, record):
    """What was scaled stays as it was, within what the definition allows now."""
    bounds = {"%s/%s" % (each["kind"], each["name"]): each for each in cnf["scaling"]}
    levels = record["levels"] if record else {}
    known = [(key, count, bounds[key]) for key, count in levels.items() if key in bounds]
    return {key: max(bound["minimum"], min(bound["maximum"], count)) for key, count, bound in known}


def require_namespace(record, cnf):
    """A CNF never moves silently."""
    if record["namespace"] != cnf["namespace"]:
        raise Refused(
            "it lives in the namespace %s since it was instantiated, and the definition says %s: a CNF is not moved, "
            "npx task cnf-terminate %s and then npx task cnf-instantiate %s do it"
            % (record["namespace"], cnf["namespace"], cnf["name"], cnf["name"])
        )
