"""Tells receivers how a run ended: when it is over and its lock is free, each in a process of its own that does not last."""
import contextlib
import json
import os
import resource
import signal

from playsmith.fault import Fault
from playsmith.history import record
from playsmith.history.events import EventReader
from playsmith.messages import facts
from playsmith.places import write_json

# How long a receiver has, with both tries.
SECONDS = 20
# Those that are sent all of a run.
LONGER = 300
MEMORY = 1 << 30
FILE = "messages.json"


def after_run(folder, request):
    """Of a run that ended, or was lost. Whatever becomes of it, the run is what it is."""
    wanted = request.get("messages") or {}
    found = record.look(folder) if wanted.get("receivers") else None
    if found is None:
        return
    with contextlib.suppress(Fault, OSError):
        told = about(facts.of_run(request, found), wanted, folder)
        if told:
            write_json(os.path.join(folder, FILE), told)


def about(of, wanted, folder=None):
    """A row for each receiver that wanted to hear of it: `reason` is empty where it took the message. `folder` is of the run, if there was one."""
    meant = [each for each in wanted["receivers"] if of["result"] in each["on"]]
    begun = [(each, *apart(each, wanted["values"], of, folder)) for each in meant]
    return [{"name": each["name"], "reason": ended(pid, reader, seconds_of(each))} for each, pid, reader in begun]


def seconds_of(receiver):
    return LONGER if receiver["kind"] in ("opentelemetry", "ara") else SECONDS


def apart(receiver, values, of, folder):
    reader, writer = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writer)
        return pid, reader
    os.close(reader)
    reason = "it ended before its end"
    try:
        for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        signal.alarm(seconds_of(receiver))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        reason = sent(receiver, values, of, folder)
    except BaseException as error:
        # The words of an error may hold the address, which is a secret.
        reason = type(error).__name__
    finally:
        with contextlib.suppress(OSError):
            os.write(writer, facts.line(reason).encode())
        os._exit(0)


def ended(pid, reader, seconds):
    with os.fdopen(reader, "rb") as pipe:
        reason = pipe.read(4096).decode("utf-8", "replace")
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return "it did not take the message within %d seconds" % seconds if code == -signal.SIGALRM else reason


def sent(receiver, values, of, folder):
    """Empty, or why not. What speaks with receivers is read here: most runs have none."""
    from playsmith.messages import ara, forms, post, spans

    if receiver["kind"] == "email":
        return post.mailed(receiver, of, SECONDS - 2)
    secret = {key: values[variable] for key, variable in receiver["secrets"].items()}
    if receiver["kind"] == "opentelemetry":
        return next(filter(None, (post.patiently("opentelemetry", secret, body) for body in spans.bodies(of, events_of(folder)))), "")
    if receiver["kind"] == "ara":
        return ara.record(secret, of, record.look(folder) or {} if folder else {}, events_of(folder))
    return post.patiently(receiver["kind"], secret, forms.body(receiver["kind"], of))


def events_of(folder):
    return EventReader(folder).fresh() if folder else ()


def untold(folder):
    """What a person should hear of messages of a run: a sentence for each that was not taken."""
    try:
        with open(os.path.join(folder, FILE), encoding="utf-8") as file:
            rows = json.load(file)
        return ["the message %s of %s was not sent: %s" % (each["name"], os.path.basename(folder), each["reason"]) for each in rows if each["reason"]]
    except (OSError, ValueError, KeyError, TypeError):
        return []
