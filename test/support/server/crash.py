"""Ends the server's half before each call by which it changes the disk, one call after the other, and says what is then not as it was before or after.

python3 crash.py SCENARIO FOLDER: prints one JSON line a point. The package playsmith is in PYTHONPATH.
"""
import contextlib
import glob
import io
import itertools
import json
import os
import shutil
import sys
import time

from playsmith.execution import scratch, supervise
from playsmith.files import bundle
from playsmith.guards import lock, process
from playsmith.history import events, life, record
from playsmith.fault import Fault
from playsmith.places import Places, private_folder, read_json

CALLS = ("open", "write", "rename", "fsync", "ftruncate", "mkdir", "unlink", "chmod")
real = {name: getattr(os, name) for name in CALLS}
real_rmtree, real_supervise = shutil.rmtree, supervise.supervise
PLAY = "- name: Say\n  hosts: all\n  gather_facts: false\n  tasks:\n    - name: Say\n      ansible.builtin.debug: {msg: said}\n"
FILES = {
    "ansible.cfg": "[defaults]\ninventory = inventory\n",
    "inventory/hosts.yml": json.dumps({"all": {"hosts": {"one": {"ansible_connection": "local", "ansible_python_interpreter": sys.executable}}}}),
    "site.yml": PLAY,
}


class Points:
    """Counts the calls that the package itself makes; ends the process before call number `last`, a write after its half."""

    def __init__(self):
        self.last, self.seen, self.note = 0, 0, ""

    def arm(self, last, note):
        self.last, self.note = last, note
        for name in CALLS:
            setattr(os, name, self.counted(name))
        shutil.rmtree = self.counted("rmtree", real_rmtree)

    def counted(self, name, own=None):
        call = own or real[name]

        def counting(*given, **more):
            if sys._getframe(1).f_globals.get("__name__", "").startswith("playsmith") and changes(name, given):
                self.seen += 1
                if self.seen == self.last:
                    self.end(name, given)
            return call(*given, **more)

        return counting

    def end(self, name, given):
        if name == "write":
            real["write"](given[0], bytes(given[1])[: len(given[1]) // 2])
        handle = real["open"](self.note, os.O_WRONLY | os.O_CREAT, 0o600)
        real["write"](handle, ("%s %s" % (name, target(given))).encode())
        os._exit(86)


def changes(name, given):
    return name != "open" or bool(given[1] & (os.O_WRONLY | os.O_RDWR))


def target(given):
    if isinstance(given[0], int):
        with contextlib.suppress(OSError):
            return os.readlink("/proc/self/fd/%d" % given[0])
    return str(given[0])


points = Points()


class World:
    def __init__(self, folder):
        self.places = Places(os.path.join(folder, "there"))
        self.note = os.path.join(folder, "point")
        self.digest = self.push()

    def push(self):
        fresh = os.path.join(self.places.bundles("try"), "fresh")
        for path, text in FILES.items():
            bundle.write_file(text.encode(), os.path.join(fresh, path), 0o644)
        found = {path: bundle.describe(fresh, path) for path in bundle.files_of(fresh)}
        digest = bundle.digest_of(found)
        entries = [{"path": path, "mode": each["mode"], "sha256": each["sha256"]} for path, each in found.items()]
        bundle.write_file(json.dumps({"files": entries}).encode(), os.path.join(fresh, "manifest.json"), 0o644)
        os.rename(fresh, self.places.bundle("try", digest))
        return digest

    def request(self, step=None):
        told = {"cluster": "try", "digest": self.digest, "playbook": "site.yml", "options": {}, "token": os.urandom(8).hex(), "machines": []}
        meta = {"operator": "Ada", "commit": "", "dirty": False, "plays": 1, "tasks": 1, "commandLine": [], "definitionDigest": ""}
        fact = {"operation": "site", "targets": [], "effect": {}}
        own = {"base": {}, "expected": "", "snapshot": {"of": "this"}, "fact": fact}
        return dict(told, meta=meta, secrets=None, life=own, **({"step": step} if step else {}))

    def begin(self):
        steps = [{"operation": "site", "state": "waiting", "run": ""}]
        journal = {"cluster": "try", "started": "then", "state": "open", "steps": steps}
        told = {"cluster": "try", "fence": "f1", "who": "Ada", "what": "apply", "insteadOf": "", "journal": journal, "machines": []}
        expected = life.digest(life.text_of(life.path(self.places, "try", life.LEDGER)))
        life.begin_apply(self.places, dict(told, expected=expected))

    def end(self):
        life.end_apply(self.places, {"cluster": "try", "fence": "f1", "state": "done"})

    def clear(self):
        for name in ("locks", "runs", "kept"):
            real_rmtree(os.path.join(self.places.root, name), ignore_errors=True)
        for path in memory():
            real_rmtree(path, ignore_errors=True)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.note)


def memory():
    """In a folder of its own: others run on this machine too."""
    return glob.glob(os.path.join(scratch.parents()[0], "playsmith-*"))


def run(world, last, step=None):
    """The supervisor ends at its point; whoever asked for the run, and the keeper, live on."""

    def armed(*given):
        points.arm(last, world.note)
        real_supervise(*given)

    supervise.supervise = armed
    request = world.request(step)
    with contextlib.suppress(Fault):
        supervise.start(world.places, request)
    until = time.monotonic() + 60
    while alive(request["token"]) and time.monotonic() < until:
        time.sleep(0.02)


def alive(token):
    from playsmith.guards.containment import marked

    holder = read_json(os.path.join(PLACES.lock("try"), "holder.json")) or {}
    who = holder.get("process") if holder.get("token") == token else None
    return bool(marked(token)) or bool(who) and (process.is_alive(who) or process.is_alive(who.get("keeper")))


def in_child(work):
    def scenario(world, last):
        child = os.fork()
        if child == 0:
            points.arm(last, world.note)
            with contextlib.suppress(Fault):
                work(world)
            os._exit(0)
        os.waitpid(child, 0)

    return scenario


def held(world):
    """A lock whose holder is gone, and the fact of a run that was lost."""
    child = os.fork()
    if child == 0:
        world.begin()
        os._exit(0)
    os.waitpid(child, 0)


def within(world):
    world.begin()


# What comes before, not interrupted; what is interrupted.
SCENARIOS = {
    "run": (None, run),
    "step": (within, lambda world, last: run(world, last, {"fence": "f1", "index": 0})),
    "begin-apply": (None, in_child(World.begin)),
    "end-apply": (within, in_child(World.end)),
    "unlock": (held, in_child(lambda world: lock.unlock(world.places, "try", False))),
}


def wrong(world, scenario):
    """What is neither as before nor as after, or stays in somebody's way."""
    places, found = world.places, []
    folders = places.run_names("try")
    records = {name: read_json(os.path.join(places.run("try", name), "record.json")) for name in folders}
    for name, each in records.items():
        path = os.path.join(places.run("try", name), "record.json")
        found += ["a torn record"] if os.path.exists(path) and not record.is_record(each) else []
        found += events_wrong(places.run("try", name), each)
    holder = lock.read(places, "try")
    if holder is not None:
        found += ["a lock without %s" % key for key in ("who", "since", "what", "process") if key not in holder]
        found += ["a lock that lives"] if holder["alive"] is not False and scenario not in ("step", "end-apply") else []
    ledger, journal = kept(places, life.LEDGER, found), kept(places, life.JOURNAL, found)
    states = [fact["status"] for fact in (ledger or {}).get("facts", [])]
    found += ["a fact that is %s" % each for each in states if each not in ("running", "successful")]
    found += ["a journal that is %s" % journal["state"]] if journal and journal["state"] not in ("open", "done") else []
    # Whoever reads next is told the truth.
    life.state(places, {"cluster": "try"}) if not (holder and holder["alive"]) else None
    ended = {name for name, each in records.items() if each and each["ended"]}
    if holder is None or holder["alive"] is False:
        for fact in (kept(places, life.LEDGER, found) or {}).get("facts", []):
            found += ["a fact %s of a run whose record says otherwise" % fact["status"]] if (fact["status"] == "successful") != (fact["run"] in ended) else []
    found += ["a fact of a run that has no record" for fact in (ledger or {}).get("facts", []) if not records.get(fact["run"])]
    return found + in_the_way(world, scenario, bool(ended))


def kept(places, name, found):
    path = life.path(places, "try", name)
    read = read_json(path)
    found += ["a torn %s" % name] if os.path.exists(path) and read is None else []
    return read


def events_wrong(folder, told):
    reader = events.EventReader(folder)
    count = len(list(reader.fresh()))
    found = ["%d lines of events cannot be read" % reader.unread] if reader.unread else []
    return found + (["events are gone"] if told and told["ended"] and not count else [])


def in_the_way(world, scenario, ended):
    """The next one may begin: at once where all was written, else after `unlock`, which needs no force."""
    places = world.places
    if scenario in ("step", "end-apply"):
        lock.unlock(places, "try", True)
    elif not ended:
        lock.unlock(places, "try", False)
    child = os.fork()
    if child == 0:
        try:
            lock.take(places, "try", {"who": "next", "since": "", "what": "", "run": "", "process": process.identity(os.getpid())})
            record.sweep(places, "try")
        except Fault as fault:
            os.write(real["open"](world.note + ".fault", os.O_WRONLY | os.O_CREAT, 0o600), str(fault).encode())
            os._exit(1)
        os._exit(0)
    found = [] if os.waitpid(child, 0)[1] == 0 else ["a lock that stays: " + io.open(world.note + ".fault").read()]
    found += ["left: %s" % path for path in memory()]
    for name in places.run_names("try"):
        left = set(os.listdir(places.run("try", name))) & {"env", "secrets.yml", "reserve", "variables.yml"}
        found += ["left in the run: %s" % sorted(left)] if left else []
    return found


def main():
    global PLACES
    scenario, folder = sys.argv[1:]
    before, interrupted = SCENARIOS[scenario]
    private_folder(os.path.join(folder, "there"))
    os.mkdir(os.path.join(folder, "memory"))
    scratch.parents = lambda: (os.path.join(folder, "memory"),)
    world = World(folder)
    PLACES = world.places
    for last in itertools.count(1):
        world.clear()
        if before:
            before(world)
        interrupted(world, last)
        point = io.open(world.note).read() if os.path.exists(world.note) else ""
        print(json.dumps({"point": last, "call": point, "wrong": wrong(world, scenario)}), flush=True)
        if not point:
            break
    world.clear()


PLACES = None
main()
