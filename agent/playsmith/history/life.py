"""What was run on a cluster, and how far an apply came: written down by the runs themselves, under the cluster's lock."""
import contextlib
import hashlib
import os

from playsmith.fault import Fault, server_fault
from playsmith.guards import lock
from playsmith.guards.process import identity
from playsmith.history import record
from playsmith.places import private_folder, read_json, write_json

HEAD = {"apiVersion": "playsmith/v1", "kind": "Applied"}
LEDGER, JOURNAL = "applied.json", "journal.json"


def state(places, request):
    """Both files as they are; the digest says later whether the first is still the same."""
    cluster = request["cluster"]
    settle(places, cluster)
    ledger = text_of(path(places, cluster, LEDGER))
    found = {"applied": ledger, "digest": digest(ledger), "journal": text_of(path(places, cluster, JOURNAL))}
    return dict(found, lock=lock.read(places, cluster))


def begin_apply(places, request):
    """Takes the lock for several runs. What was shown has to be what still is."""
    cluster, fence = request["cluster"], request["fence"]
    holder = {"who": request["who"], "since": request["journal"]["started"], "what": request["what"], "run": "", "token": ""}
    client = identity(os.getpid())
    holder = dict(holder, fence=fence, client=client, process=client)
    lock.take(places, cluster, holder, request["machines"], instead_of=request["insteadOf"])
    try:
        if digest(text_of(path(places, cluster, LEDGER))) != request["expected"]:
            message = "%s was changed by another run since its plan was made" % cluster
            raise Fault("stale", message, next="Look at the plan again: npx task plan")
        private_folder(places.kept(cluster))
        write_json(path(places, cluster, JOURNAL), dict(request["journal"], fence=fence))
    except BaseException:
        lock.leave(places, cluster, fence)
        raise
    return {}


def end_apply(places, request):
    """The journal says how it ended, and the lock is free. Only of the apply's own."""
    cluster, fence = request["cluster"], request["fence"]
    lock.require(places, cluster, fence)
    file = path(places, cluster, JOURNAL)
    write_json(file, dict(journal_in(file), state=request["state"]))
    lock.leave(places, cluster, fence)
    return {}


def begun(places, request, run):
    """Before its first task: a run that is lost is known to have begun."""
    cluster, life, step = request["cluster"], request.get("life"), request.get("step")
    if life or step:
        private_folder(places.kept(cluster))
    if life:
        file = path(places, cluster, LEDGER)
        ledger = reckoned(text_of(file), life) or ledger_in(file) or dict(HEAD, base=None, snapshots={}, facts=[])
        ledger["snapshots"][request["digest"]] = life["snapshot"]
        ledger["facts"].append(dict(life["fact"], bundle=request["digest"], run=run, status="running", recap={}))
        write_json(file, ledger)
    if step:
        mark(places, cluster, step["index"], {"state": "running", "run": run})


def reckoned(text, life):
    """What the client made of all that was run before, unless somebody ran something since it read it."""
    return dict(HEAD, base=life["base"], snapshots={}, facts=[]) if digest(text) == life["expected"] else None


def ended(places, cluster, run, status, recap):
    """A disk that takes nothing more leaves the run open: it is then known not to have reached its end."""
    with contextlib.suppress(Fault, OSError):
        close(places, cluster, run, status, recap)


def close(places, cluster, run, status, recap):
    counts = {host: {key: each[key] for key in ("failed", "unreachable")} for host, each in recap.items()}
    ledger = ledger_in(path(places, cluster, LEDGER))
    facts = [fact for fact in ledger.get("facts", []) if fact["run"] == run]
    for fact in facts:
        fact.update(status=status, recap=counts)
    if facts:
        write_json(path(places, cluster, LEDGER), ledger)
    steps = journal_in(path(places, cluster, JOURNAL)).get("steps", [])
    for index in [at for at, step in enumerate(steps) if step["state"] == "running" and step.get("run") == run]:
        mark(places, cluster, index, {"state": "done" if status == "successful" else "failed"})


def mark(places, cluster, index, news):
    file = path(places, cluster, JOURNAL)
    journal = journal_in(file)
    if index < len(journal.get("steps", [])):
        journal["steps"][index].update(news)
        write_json(file, journal)


def settle(places, cluster):
    """A run that was killed between its record and what is kept of it here: its record says how it ended. What cannot be written now is so the next time."""
    with contextlib.suppress(Fault, OSError):
        if open_runs(places, cluster):
            with lock.alone(places, cluster):
                holder = lock.read(places, cluster)
                if holder is None or holder["alive"] is False:
                    settle_now(places, cluster)


def settle_now(places, cluster):
    """Only by whoever holds the lock, or sees to it that nobody takes it."""
    for run in open_runs(places, cluster):
        found = record.stored(places.run(cluster, run))
        if found and found["ended"] is not None:
            ended(places, cluster, run, found["status"], found.get("recap") or {})


def open_runs(places, cluster):
    facts = ledger_in(path(places, cluster, LEDGER)).get("facts", [])
    steps = journal_in(path(places, cluster, JOURNAL)).get("steps", [])
    return {each["run"] for each in facts if each["status"] == "running"} | {each["run"] for each in steps if each["state"] == "running"}


def ledger_in(file):
    """Empty where there is none, or where a disk or a person left anything else: the client sees the text itself, and says so."""
    found = read_json(file)
    return found if has_rows(found, "facts", "status") and isinstance(found.get("snapshots"), dict) else {}


def journal_in(file):
    found = read_json(file)
    return found if has_rows(found, "steps", "state") else {}


def has_rows(found, key, state):
    rows = found.get(key) if isinstance(found, dict) else None
    return isinstance(rows, list) and all(isinstance(row, dict) and all(isinstance(row.get(name), str) for name in ("run", state)) for row in rows)


def path(places, cluster, name):
    return os.path.join(places.kept(cluster), name)


def text_of(file):
    """What no longer is UTF-8 is no JSON either, and is told as that."""
    try:
        with open(file, encoding="utf-8", errors="replace") as opened:
            return opened.read()
    except FileNotFoundError:
        return ""
    except OSError as error:
        message = "%s cannot be read on the Ansible server: %s" % (file, error.strerror)
        raise server_fault(message, next="Look at that file and its disk there") from error


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest() if text else ""
