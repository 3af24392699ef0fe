"""Runs from outside: which there are, what happens in one, what is kept of it, and how to end it."""
import base64
import collections
import contextlib
import errno
import gzip
import os
import signal
import time

from playsmith import login
from playsmith.fault import Fault, disk_fault, is_full
from playsmith.guards import containment, fencing, lock
from playsmith.guards.process import is_alive, names_of, send
from playsmith.history import events, record, shape
from playsmith.history.outlined_story import OutlinedStory
from playsmith.places import CLUSTER, names, write_json

BRIEF = ("run", "cluster", "playbook", "digest", "options", "meta", "login", "started", "ended", "seconds", "recap")
CANCEL_SECONDS = 50
BEGIN_SECONDS = 10
# How long is waited before events are looked for again. Receptor copies what is told once a second.
LOOK_SECONDS, MESH_LOOK_SECONDS = 0.05, 0.5
TAIL = 15


def folder_of(places, request):
    """An empty run is the one that goes on, else the latest one."""
    cluster = request["cluster"]
    run = request.get("run") or record.begins(places, cluster) or record.latest(places, cluster)
    return places.run(cluster, run)


def status(places, request):
    found = record.load(folder_of(places, request))
    return dict(brief(found), lock=lock.read(places, request["cluster"]))


def brief(found):
    return dict({key: found.get(key) for key in BRIEF}, status=record.status_of(found))


def listed(places, request):
    """The latest last, at most `limit` of each cluster, and the folders of those whose records cannot be read."""
    clusters = [request["cluster"]] if request.get("cluster") else names(places.all_runs())
    found, unreadable = [], []
    for cluster in (each for each in clusters if CLUSTER.fullmatch(each)):
        record.sweep(places, cluster)
        for name in places.run_names(cluster)[-request.get("limit", 50):]:
            folder = places.run(cluster, name)
            each = record.look(folder)
            if each and shape.can_be_listed(each):
                found.append(brief(each))
            elif left_something(folder) and name != record.begins(places, cluster):
                unreadable.append(folder)
    locks = {cluster: lock.read(places, cluster) for cluster in clusters if CLUSTER.fullmatch(cluster)}
    return {"runs": found, "unreadable": unreadable, "locks": {cluster: holder for cluster, holder in locks.items() if holder}}


def left_something(folder):
    """A run that was killed before it wrote its record has no events either: there is nothing to look at."""
    paths = [os.path.join(folder, name) for name in ("record.json", events.EVENTS + ".gz")]
    with contextlib.suppress(OSError):
        return any(os.path.lexists(each) for each in paths) or os.path.getsize(os.path.join(folder, events.EVENTS)) > 0
    return False


def follow(places, request, session):
    """Events from the counter `from` on, as they are written; ends with how the run ended."""
    folder = folder_of(places, request)
    stamp, found = record.stamp(folder), begun(folder)
    reader, story, printed = events.EventReader(folder), OutlinedStory(found.get("outline") or []), collections.deque(maxlen=TAIL)
    last = found["started"]
    while True:
        state = record.status_of(found)
        for event in reader.fresh():
            last = event.get("created") or last
            printed.extend(event.get("stdout", "").split("\r\n"))
            told = story.tell(event)
            if told and told["counter"] >= request.get("from", 0):
                session.reply({"event": told})
        if state != "running":
            released(places, found)
            require_told(folder, state)
            return dict(ended(found, state, story, printed, last), eventsUnread=reader.unread)
        if story.recap is not None:
            require_told(folder, state)
        if session.interrupted(MESH_LOOK_SECONDS if session.alone else LOOK_SECONDS):
            return {"run": found["run"], "status": "running"}
        # With its outline it is long, and written when the run begins and when it ends.
        if record.has_gone(found) or record.stamp(folder) != stamp:
            stamp, found = record.stamp(folder), record.load(folder)


def begun(folder):
    """One that the lock names may be about to write its record."""
    until = time.monotonic() + BEGIN_SECONDS
    while not os.path.lexists(os.path.join(folder, "record.json")) and os.path.isdir(folder) and time.monotonic() < until:
        time.sleep(0.05)
    return record.load(folder)


def released(places, found):
    """Its record is written before the lock is given back; whoever hears of the end may take the lock at once."""
    until = time.monotonic() + BEGIN_SECONDS
    while record.begins(places, found["cluster"]) == found["run"] and time.monotonic() < until:
        time.sleep(0.02)


def require_told(folder, state):
    """How it ended cannot be known from a record that could not be written."""
    if state in ("running", "lost") and os.statvfs(folder).f_flag & os.ST_RDONLY:
        error = OSError(errno.EROFS, os.strerror(errno.EROFS), folder)
        fault = disk_fault(error, folder)
        run = os.path.basename(folder)
        goes = "came to its end, which cannot be written down" if state == "running" else "ended, and how cannot have been written down"
        fault.failure["message"] = "%s %s: the file system is read-only" % (run, goes)
        fault.failure["next"] = "Mount it writable, then `npx task attach %s`; until then `npx task logs %s` shows what it did" % (run, run)
        raise fault


def ended(found, state, story, printed, last):
    keys = {key: found.get(key) for key in ("run", "cluster", "playbook", "seconds", "eventsLost", "changedWhileRunning")}
    seen = found.get("recap") or story.recap or {}
    if state == "lost":
        keys["seconds"] = record.seconds_between(found["started"], last)
    keys.update(status=state, recap=seen, failures=found.get("failures") or [], exitStatus=found.get("exitStatus"))
    keys.update({key: found[key] for key in ("results", "previous") if key in found})
    return dict(keys, tail=[line for line in printed if line.strip()])


def log(places, request, session):
    """What Ansible printed, so far."""
    folder = folder_of(places, request)
    found = record.load(folder)
    reader = events.EventReader(folder)
    for event in reader.fresh():
        if event.get("stdout"):
            session.reply({"event": {"text": event["stdout"].replace("\r\n", "\n")}})
    for text in untold(reader, found):
        session.reply({"event": {"text": text}})
    return {"run": found["run"], "status": record.status_of(found), "playbook": found["playbook"], "options": found["options"]}


def untold(reader, found):
    if found["ended"] and reader.file is None:
        yield "(the events of this run are gone from the Ansible server)"
    if reader.unread:
        yield "(%d lines of this run's events cannot be read)" % reader.unread
    if found.get("eventsLost"):
        yield "(%d events of this run did not get onto the disk of the Ansible server)" % found["eventsLost"]


def fetch(places, request, session):
    """The record, and its events compressed, in pieces."""
    folder = folder_of(places, request)
    path = os.path.join(folder, events.EVENTS)
    found = record.load(folder)
    content = packed(path)
    for start in range(0, len(content), 1 << 18):
        session.reply({"event": {"data": base64.b64encode(content[start:start + (1 << 18)]).decode()}})
    return dict(found, status=record.status_of(found))


def packed(path):
    for name in (path + ".gz", path):
        with contextlib.suppress(FileNotFoundError), open(name, "rb") as file:
            return file.read() if name.endswith(".gz") else gzip.compress(file.read(), 5)
    return gzip.compress(b"")


def cancel(places, request):
    folder = folder_of(places, request)
    found = record.load(folder)
    if record.status_of(found) != "running":
        raise Fault("run", "The run %s is not running" % os.path.basename(folder), next="Look at `npx task runs`")
    ask_to_end(folder, found, request["who"])
    until = time.monotonic() + CANCEL_SECONDS
    while record.status_of(found := record.load(folder)) == "running" and time.monotonic() < until:
        if not keeps(found["process"]):
            containment.end(found["process"], 1)
        time.sleep(0.05)
    released(places, found)
    left = containment.of_run(found["process"]) if record.status_of(found) == "running" else []
    there = ["on the Ansible server: " + each for each in names_of(left)]
    lost = fencing.forgotten(found) if record.status_of(found) == "lost" else []
    return dict(brief(found), unstopped=there + lost + (found.get("unstopped") or []))


def ask_to_end(folder, found, who):
    """Whoever filled the disk has to be ended all the same: then it is told by a signal, and who asked is not written down."""
    try:
        write_json(os.path.join(folder, "cancel"), {"who": who, "login": login.of(os.environ), "when": record.now()})
    except Fault as fault:
        if not is_full(fault) or not is_alive(found["process"]):
            raise
        send(found["process"]["pid"], signal.SIGTERM)


def keeps(who):
    """Whether somebody is there who ends the run."""
    return is_alive(who) or is_alive(who.get("keeper"))
