"""A run begins in a process of its own, which outlives the client and its connection."""
import contextlib
import importlib.util
import json
import os
import resource
import sys
import time
import traceback

from playsmith import login
from playsmith.execution import aftermath, ansible
from playsmith.execution.run import Run
from playsmith.fault import OF_A_DISK, Fault, disk_fault, server_fault
from playsmith.guards import containment, lock
from playsmith.guards.process import identity
from playsmith.mesh import sealed
from playsmith.messages import send
from playsmith.places import names, read_json
from playsmith.schedule import jobs


def start(places, request):
    """Returns when the run has really begun. The same token twice is one run: a client may have missed the first answer."""
    # A dump of the memory of any process of a run would hold secrets; what they start inherits this.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    require_runner()
    known = already(places, request)
    if known:
        return known
    request = dict(request, client=identity(os.getpid()), login=login.of(os.environ), secrets=sealed.opened(request))
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.close(reader)

        def work(keeper):
            return supervise(places, dict(request, keeper=keeper), writer)

        detach(lambda: containment.keep(work, lambda: aftermath.of(places, request), writer))
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as pipe:
        answer = pipe.read()
    os.wait()
    return understood(answer)


def understood(answer):
    if not answer:
        raise server_fault("The run ended before it began", "its process was killed", "Look at the server's memory and logs")
    reply = json.loads(answer)
    if "failure" in reply:
        failure = dict(reply["failure"])
        raise Fault(failure.pop("kind"), failure.pop("message"), **failure)
    return reply


def require_runner():
    missing = [name for name in ("ansible", "ansible_runner") if importlib.util.find_spec(name) is None]
    if missing or ansible.playbook_program() is None:
        what = " and ".join(name.replace("_", "-") for name in missing) or "ansible-playbook"
        raise server_fault("The Ansible server lacks %s" % what, "python: %s" % sys.executable, "Run `npx task bootstrap`")


def already(places, request):
    """The run that this very request began, once it stands in its record."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        for name in reversed(places.run_names(request["cluster"])[-10:]):
            found = read_json(os.path.join(places.run(request["cluster"], name), "record.json"))
            if found and found.get("token") == request["token"]:
                return {"run": name, "warnings": []}
        if (lock.read(places, request["cluster"]) or {}).get("token") != request["token"]:
            return None
        time.sleep(0.1)
    return None


def detach(work):
    """The double fork: nobody's child, no terminal, none of the client's pipes."""
    os.setsid()
    if os.fork() == 0:
        null = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(null, number)
        work()
    os._exit(0)


def supervise(places, request, writer):
    try:
        run = Run(places, request)
        run.prepare()
    except Fault as fault:
        answer(writer, {"failure": fault.failure})
        return
    except Exception as error:
        if isinstance(error, OSError) and error.errno in OF_A_DISK:
            answer(writer, {"failure": disk_fault(error, error.filename or places.root).failure})
            return
        answer(writer, {"failure": server_fault("The run could not begin", traceback.format_exc()).failure})
        raise
    answer(writer, {"run": run.id, "warnings": kill_warnings() + jobs.warnings(places, request) + untold(places, request)})
    run.work()


def answer(writer, reply):
    """Whoever waits for it may have been killed meanwhile: what has begun goes on all the same."""
    with contextlib.suppress(BrokenPipeError), os.fdopen(writer, "w", encoding="utf-8") as pipe:
        json.dump(reply, pipe)


def untold(places, request):
    """Whether receivers took the messages of the run before."""
    return [text for name in places.run_names(request["cluster"])[-2:-1] for text in send.untold(places.run(request["cluster"], name))]


def kill_warnings():
    """systemd-logind may end what a login session leaves behind."""
    if not os.path.isdir("/run/systemd/system") or os.path.exists("/var/lib/systemd/linger/%s" % os.environ.get("USER", "")):
        return []
    folders = ["/etc/systemd/logind.conf.d", "/run/systemd/logind.conf.d", "/usr/lib/systemd/logind.conf.d"]
    files = ["/etc/systemd/logind.conf"] + [os.path.join(folder, name) for folder in folders for name in names(folder)]
    if not any(kills(path) for path in files) or os.getuid() == 0:
        return []
    return ["logind on the Ansible server ends processes at logout (KillUserProcesses): run `loginctl enable-linger` there"]


def kills(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = [line.replace(" ", "").strip().lower() for line in file]
            return any("killuserprocesses=%s" % word in lines for word in ("yes", "y", "true", "t", "on", "1"))
    except OSError:
        return False
