"""What is kept of a run: one file, complete from the start on and replaced at the end, beside the events."""
import contextlib
import datetime
import os
import shutil
import time

from playsmith.execution import copied, scratch
from playsmith.fault import Fault
from playsmith.guards.containment import is_alive
from playsmith.history.outlined_story import OutlinedStory
from playsmith.history.shape import is_record
from playsmith.places import read_json, write_json

VARIABLES = "variables.yml"
SCOPE = "scope.yml"
LOOKED_BACK = 500


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def save(folder, record):
    write_json(os.path.join(folder, "record.json"), record)


def load(folder):
    record = look(folder)
    if record is None and os.path.lexists(os.path.join(folder, "record.json")):
        message = "The record of the run %s cannot be read" % os.path.basename(folder)
        raise Fault("run", message, next="See what else lies in %s on the Ansible server" % folder)
    if record is None:
        raise Fault("run", "There is no run %s on the Ansible server" % os.path.basename(folder), next="Look at `npx task runs`")
    return record


def look(folder):
    """The record as it is now, with its status as `seen`; None where there is none.

    `lost`: nobody ended it, and the process that would is gone. Between two looks a run may end and its process go, so
    what was written is read once more when the process is gone.
    """
    record = stored(folder)
    if record is None or record["ended"] is not None:
        return record
    if not has_gone(record):
        return dict(record, seen="running")
    again = stored(folder)
    return again if again is None or again["ended"] is not None else dict(again, seen="lost")


def stamp(folder):
    """What changes with everything that is written there; None where there is no record."""
    try:
        found = os.stat(os.path.join(folder, "record.json"))
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def has_gone(record):
    """Of one that nobody has ended: nobody will."""
    return is_alive(record["process"]) is False


def stored(folder):
    """What lies there, if it is a record: a disk that failed or a person may have left anything under that name."""
    record = read_json(os.path.join(folder, "record.json"))
    return record if is_record(record) else None


def status_of(record):
    """Of a record that `look` or `load` gave."""
    return record["status"] if record["ended"] is not None else record["seen"]


def latest(places, cluster):
    for name in reversed(places.run_names(cluster)):
        if stored(places.run(cluster, name)):
            return name
    raise Fault("run", "No run of %s is known on the Ansible server" % cluster, next="Start one with `npx task run`")


def compared(places, own, results):
    """What a playbook says of its run, and what it said the last time; nothing of a playbook that says nothing."""
    if not results:
        return {}
    for name in reversed(places.run_names(own["cluster"])[-LOOKED_BACK:]):
        found = None if name == own["run"] else stored(places.run(own["cluster"], name))
        if found and found.get("playbook") == own["playbook"] and found.get("results"):
            return {"results": results, "previous": {"run": name, "results": found["results"]}}
    return {"results": results}


def sweep(places, cluster):
    """Runs that were killed leave their encrypted secrets; nobody else takes them away."""
    names = places.run_names(cluster)
    # Asked afterwards: one that has a folder already had the lock before.
    beginning = begins(places, cluster)
    for name in names:
        folder = places.run(cluster, name)
        if name != beginning and any(os.path.exists(os.path.join(folder, each)) for each in ("env", "reserve")):
            record = look(folder)
            # On a disk that takes nothing they stay, for the next who looks.
            with contextlib.suppress(OSError):
                if record is None or status_of(record) == "lost":
                    clean(folder, (record or {}).get("scratch") or scratch.path_of(folder))


def begins(places, cluster):
    """The run that the lock names, which may not have its record yet."""
    holder = read_json(os.path.join(places.lock(cluster), "holder.json"))
    return holder.get("run") if isinstance(holder, dict) and is_alive(holder.get("process")) is not False else None


def clean(folder, own):
    """Everything that only a running Ansible needs; a directory that takes nothing keeps it until the next call."""
    for name in ("secrets.yml", VARIABLES, SCOPE, "reserve"):
        with contextlib.suppress(OSError):
            os.unlink(os.path.join(folder, name))
    if not own or gone(own):
        shutil.rmtree(os.path.join(folder, "env"), ignore_errors=True)


def gone(own):
    """What is dying may still write there for a moment; what stays after that is left to the next sweep."""
    for _ in range(20):
        copied.loosen(own)
        shutil.rmtree(own, ignore_errors=True)
        if not os.path.exists(own):
            return True
        time.sleep(0.05)
    return False


class Timings:
    """Play by play and task by task: when it began, how long it took, and how each host ended."""

    def __init__(self, outline):
        self.story = OutlinedStory(outline)
        self.tasks = []
        self.failures = {}

    def take(self, event):
        told = self.story.tell(event)
        created = event.get("created", "")
        if told and told["type"] == "task-started":
            names_of = {key: told[key] for key in ("name", "number", "handler")}
            self.tasks.append(dict(names_of, play=self.story.play, started=created, seconds=0, hosts={}))
        if told and told["type"] == "host-finished":
            self.host(told, created)

    def host(self, told, created):
        if told["status"] in ("failed", "unreachable"):
            self.failures[told["host"]] = {key: told[key] for key in ("host", "task", "status", "message")}
        for task in reversed(self.tasks):
            if task["name"].rpartition(" : ")[2] == told["task"] or task["name"] == told["task"]:
                task["hosts"][told["host"]] = {"status": told["status"], "seconds": told["seconds"]}
                task["seconds"] = seconds_between(task["started"], created)
                return


def seconds_between(start, end):
    try:
        # A clock that was set back meanwhile made no task take less than nothing.
        return max(0, round((moment(end) - moment(start)).total_seconds(), 3))
    except ValueError:
        return 0


def moment(text):
    """ansible-runner writes times of UTC with a zone or without."""
    found = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return found if found.tzinfo else found.replace(tzinfo=datetime.timezone.utc)
