"""Answers requests, one JSON line each, until the client hangs up."""
import contextlib
import importlib
import json
import os
import select
import sys
import time

from playsmith.fault import OF_A_DISK, Fault, disk_fault, server_fault, writing
from playsmith.places import Places, private_folder

# A unit of work that waits says so often that whoever reads it over a mesh knows that it is there.
BEAT_SECONDS = 5


class Session:
    def __init__(self):
        self.input, self.output, self.pending = sys.stdin.buffer, sys.stdout.buffer, b""
        self.alone, self.replied = False, 0.0
        # Over a mesh: the unit of work that has more to tell than was asked for yet.
        self.unit = None

    def reply(self, value):
        self.output.write(json.dumps(value).encode() + b"\n")
        self.output.flush()
        self.replied = time.monotonic()

    def lines(self):
        """Requests; what was read beyond one is kept here, where interrupted() sees it. A blank line asks for nothing."""
        while chunk := self.input.read1(1 << 16):
            self.pending += chunk
            while b"\n" in self.pending:
                line, self.pending = self.pending.split(b"\n", 1)
                if line:
                    yield line

    def interrupted(self, seconds):
        """The client wants something else, or is gone. A unit of work has all its input from the start."""
        if self.alone:
            if time.monotonic() - self.replied > BEAT_SECONDS:
                self.reply({"beat": True})
            return time.sleep(seconds)
        return bool(self.pending) or bool(select.select([self.input], [], [], seconds)[0])


def module(name):
    return importlib.import_module("playsmith." + name)


def probe(places, request):
    """Why a file of so many bytes cannot be written: a Fault, or nothing when it can. What arrived of it goes away."""
    folder = os.path.dirname(request["path"])
    if os.path.dirname(folder) != os.path.join(places.root, "bundles"):
        raise Fault("bundle", "%s is no place for an archive" % request["path"], evidence="")
    private_folder(folder)
    try:
        with writing(folder), open(request["path"], "wb") as file:
            file.write(bytes(request["bytes"]))
            file.flush()
            os.fsync(file.fileno())
    finally:
        with contextlib.suppress(OSError):
            os.unlink(request["path"])
    return {}


def require_linux():
    if not sys.platform.startswith("linux"):
        raise server_fault("The Ansible server has to be Linux", "it is " + sys.platform, "Choose another ansibleServer")
    if sys.version_info < (3, 9):
        seen = "%s is Python %d.%d" % ((sys.executable,) + sys.version_info[:2])
        raise server_fault("The Ansible server needs Python 3.9 or newer", seen, "Run `npx task bootstrap`")


def require_timely(request):
    """A unit of work may come long after whoever asked has given up, when a node was away."""
    late = time.time() - request.get("notAfter", float("inf"))
    if late > 0:
        raise Fault("stale", "The request came %d seconds too late: nothing was done" % late, next="Ask again")


def several(request, session):
    """Over a mesh each unit of work costs seconds, and processes on two nodes."""
    return {"answers": [answer(dict(each, alone=session.alone), session) for each in request["requests"]]}


OPERATIONS = {
    "stat-bundle": lambda places, it, _: module("files.bundle").stat(places, it["cluster"], it["digest"]),
    "unpack": lambda places, it, session: module("files.bundle").unpack(places, it, session),
    "receive": lambda places, it, session: module("files.receive").receive(places, it, session),
    "probe": lambda places, it, _: probe(places, it),
    "start": lambda places, it, _: module("execution.supervise").start(places, it),
    "follow": lambda places, it, session: module("history.runs").follow(places, it, session),
    "log": lambda places, it, session: module("history.runs").log(places, it, session),
    "record": lambda places, it, session: module("history.runs").fetch(places, it, session),
    "list": lambda places, it, _: module("history.runs").listed(places, it),
    "status": lambda places, it, _: module("history.runs").status(places, it),
    "cancel": lambda places, it, _: module("history.runs").cancel(places, it),
    "life": lambda places, it, _: module("history.life").state(places, it),
    "begin-apply": lambda places, it, _: module("history.life").begin_apply(places, it),
    "end-apply": lambda places, it, _: module("history.life").end_apply(places, it),
    "kept": lambda places, it, _: module("files.kept").listed(places, it),
    "forget-kept": lambda places, it, _: module("files.kept").forget(places, it),
    "compare-artifacts": lambda places, it, _: module("files.artifacts").compare(places, it),
    "take-artifact": lambda places, it, _: module("files.artifacts").take(places, it),
    "relay": lambda places, it, session: module("mesh.relay").relay(it, session),
    "several": lambda places, it, session: several(it, session),
    "mesh": lambda places, it, _: module("mesh.receptor").mesh(it),
    "sweep": lambda places, it, _: module("mesh.receptor").sweep(it),
    "sealing-key": lambda places, it, _: module("mesh.sealed").public_key(),
    "fitness": lambda places, it, _: module("mesh.fitness").fitness(places),
    "keep-schedule": lambda places, it, _: module("schedule.jobs").keep(places, it),
    "schedule": lambda places, it, _: module("schedule.jobs").look(places, it),
    "forget-schedule": lambda places, it, _: module("schedule.jobs").forget(places, it),
    "gc": lambda places, it, _: module("history.collect").collect(places, it),
    "unlock": lambda places, it, _: module("guards.lock").unlock(places, it["cluster"], it["force"]),
}


def main():
    # What is printed goes to logs of ours, and may hold what a host printed.
    sys.stdout.reconfigure(errors="backslashreplace")
    if sys.argv[2:3] == ["job"]:
        module("schedule.job").main(sys.argv[3:])
    module("guards.containment").keep_out()
    session = Session()
    session.reply({"hello": "playsmith"})
    try:
        for line in session.lines():
            for reply in answers(json.loads(line), session):
                session.reply(reply)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    finally:
        if session.unit is not None:
            module("mesh.receptor").release(session.unit.name)


def answers(request, session):
    """The answer, and those to the operations of `then` about the run that it began: over a mesh every question takes seconds.
    What stands in `first` is done before it, and has to be done well; its answers come within the answer."""
    shared = {key: request[key] for key in ("directory", "alone", "notAfter") if key in request}
    before = [answer(dict(each, **shared), session) for each in request.get("first", [])]
    reply = next((each for each in before if "done" not in each), None) or answer(request, session)
    if before and "done" in reply:
        reply["done"]["first"] = [each["done"] for each in before]
    yield reply
    begun = reply.get("done", {})
    for operation in request.get("then", []):
        if "done" in reply:
            reply = answer({**request, "operation": operation, "run": begun["run"], "notAfter": float("inf")}, session)
            yield reply


def answer(request, session):
    try:
        require_linux()
        require_timely(request)
        session.alone = request.get("alone", False)
        return {"done": OPERATIONS[request["operation"]](Places(request["directory"]), request, session)}
    except Fault as fault:
        return {"failure": fault.failure}
    except BrokenPipeError:
        raise
    except Exception as error:
        import traceback

        if isinstance(error, OSError) and error.errno in OF_A_DISK:
            return {"failure": disk_fault(error, error.filename or request["directory"]).failure}

        return {"bug": traceback.format_exc()}
