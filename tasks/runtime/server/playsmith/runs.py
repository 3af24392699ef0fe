"""Runs from outside: which there are, what happens in one, what is kept of it, and how to end it."""
import base64
import collections
import gzip
import json
import os
import time

from playsmith import containment, lock, record
from playsmith.fault import Fault
from playsmith.places import CLUSTER, names
from playsmith.process import is_alive, names_of
from playsmith.story import Story

BRIEF = ("run", "cluster", "playbook", "digest", "options", "meta", "started", "ended", "seconds", "recap")
CANCEL_SECONDS = 30
TAIL = 15


def folder_of(places, request):
    """An empty run is the latest one."""
    cluster = request["cluster"]
    return places.run(cluster, request.get("run") or record.latest(places, cluster))


def status(places, request):
    found = record.load(folder_of(places, request))
    return dict(brief(found), lock=lock.read(places, request["cluster"]))


def brief(found):
    return dict({key: found.get(key) for key in BRIEF}, status=record.status_of(found))


def listed(places, request):
    """The latest last, at most `limit` of each cluster."""
    clusters = [request["cluster"]] if request.get("cluster") else names(places.all_runs())
    found = []
    for cluster in (each for each in clusters if CLUSTER.fullmatch(each)):
        record.sweep(places, cluster)
        for name in places.run_names(cluster)[-request.get("limit", 50):]:
            each = record.look(places.run(cluster, name))
            found += [brief(each)] if each else []
    locks = {cluster: lock.read(places, cluster) for cluster in clusters if CLUSTER.fullmatch(cluster)}
    return {"runs": found, "locks": {cluster: holder for cluster, holder in locks.items() if holder}}


def follow(places, request, session):
    """Events from the counter `from` on, as they are written; ends with how the run ended."""
    folder = folder_of(places, request)
    found = record.load(folder)
    reader, story, printed = record.EventReader(folder), Story(), collections.deque(maxlen=TAIL)
    while True:
        state = record.status_of(found)
        for event in reader.fresh():
            printed.extend(event.get("stdout", "").split("\r\n"))
            told = story.tell(event)
            if told and told["counter"] >= request.get("from", 0):
                session.reply({"event": told})
        if state != "running":
            return ended(found, state, story, printed)
        if session.interrupted(0.05):
            return {"run": found["run"], "status": "running"}
        found = record.load(folder)


def ended(found, state, story, printed):
    keys = {key: found.get(key) for key in ("run", "cluster", "playbook", "seconds", "eventsLost", "changedWhileRunning")}
    seen = found.get("recap") or story.recap or {}
    keys.update(status=state, recap=seen, failures=found.get("failures") or [], exitStatus=found.get("exitStatus"))
    keys.update({key: found[key] for key in ("results", "previous") if key in found})
    return dict(keys, tail=[line for line in printed if line.strip()])


def log(places, request, session):
    """What Ansible printed, so far."""
    folder = folder_of(places, request)
    found = record.load(folder)
    reader = record.EventReader(folder)
    for event in reader.fresh():
        if event.get("stdout"):
            session.reply({"event": {"text": event["stdout"].replace("\r\n", "\n")}})
    if reader.unread:
        session.reply({"event": {"text": "(%d lines of this run's events cannot be read)" % reader.unread}})
    return {"run": found["run"], "status": record.status_of(found), "playbook": found["playbook"], "options": found["options"]}


def fetch(places, request, session):
    """The record, and its events compressed, in pieces."""
    folder = folder_of(places, request)
    path = os.path.join(folder, record.EVENTS)
    found = record.load(folder)
    if os.path.exists(path + ".gz"):
        with open(path + ".gz", "rb") as file:
            content = file.read()
    else:
        with open(path, "rb") as file:
            content = gzip.compress(file.read(), 5)
    for start in range(0, len(content), 1 << 18):
        session.reply({"event": {"data": base64.b64encode(content[start:start + (1 << 18)]).decode()}})
    return dict(found, status=record.status_of(found))


def cancel(places, request):
    folder = folder_of(places, request)
    if record.status_of(record.load(folder)) != "running":
        raise Fault("run", "The run %s is not running" % os.path.basename(folder), next="Look at `npx task runs`")
    with open(os.open(os.path.join(folder, "cancel"), os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="utf-8") as file:
        json.dump({"who": request["who"], "when": record.now()}, file)
    until = time.monotonic() + CANCEL_SECONDS
    while record.status_of(found := record.load(folder)) == "running" and time.monotonic() < until:
        if not keeps(found["process"]):
            containment.end(found["process"], 1)
        time.sleep(0.05)
    left = containment.of_run(found["process"]) if record.status_of(found) == "running" else []
    return dict(brief(found), unstopped=["on the Ansible server: " + each for each in names_of(left)])


def keeps(who):
    """Whether somebody is there who ends the run."""
    return is_alive(who) or is_alive(who.get("keeper"))
