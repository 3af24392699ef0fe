"""Whether a record is one: a disk or a person may have left any value in any place, and whoever lists runs reads them all."""
import re

NAME = re.compile(r"\w[\w.-]{0,200}", re.ASCII)
COUNTS = ("ok", "changed", "failed", "unreachable", "skipped", "rescued", "ignored")
STATUSES = ("successful", "failed", "unreachable", "canceled", "error", "lost", "running")


def text(value):
    return isinstance(value, str)


def number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def flag(value):
    return isinstance(value, bool)


def anything(_):
    return True


def texts(value):
    return isinstance(value, list) and all(map(text, value))


def maps(*needed, **shapes):
    return lambda value: isinstance(value, list) and all(each_of(needed, shapes)(each) for each in value)


def values(shape):
    return lambda value: isinstance(value, dict) and all(map(shape, value.values()))


def each_of(needed, shapes):
    """A map with those keys at least; of the others, those that it has are what they should be."""
    return lambda value: (
        isinstance(value, dict) and set(needed) <= value.keys() and all(shape(value[key]) for key, shape in shapes.items() if key in value)
    )


def nullable(shape):
    return lambda value: value is None or shape(value)


OPTIONS = dict({key: texts for key in ("limit", "tags", "skipTags")}, check=flag, diff=flag, forks=number, variables=values(text))
META = dict(operator=text, definitionDigest=text, commit=text, dirty=flag, plays=number, tasks=number, commandLine=texts)
# What every record has; one that lacks it hides no other.
WHOLE = {"cluster", "playbook", "digest", "options", "meta", "started"}
NEEDED = set(META) - {"definitionDigest"}
RECORD = dict(
    run=text, cluster=text, playbook=text, digest=text, started=text, ended=nullable(text), seconds=nullable(number),
    options=each_of((), dict(OPTIONS, scope=each_of(("targets",), {"targets": texts}))),
    meta=each_of((), META),
    login=nullable(each_of(("user", "address", "keys"), {"user": text, "address": text, "keys": texts})),
    recap=nullable(values(each_of(COUNTS, dict.fromkeys(COUNTS, number)))),
    process=each_of((), {"keeper": nullable(each_of((), {}))}),
    scratch=text, token=text, fence=number, eventsLost=number, exitStatus=nullable(number), unstopped=texts,
    changedWhileRunning=nullable(texts), results=values(anything),
    previous=each_of(("run", "results"), {"run": text, "results": values(anything)}),
    versions=values(text), loaded=values(each_of(("path", "sha256"), {"path": text, "sha256": text})),
    tasks=maps(
        "play", "name", "number", "handler", "started", "seconds", "hosts",
        play=text, name=text, number=number, handler=flag, started=text, seconds=number,
        hosts=values(each_of(("status", "seconds"), {"status": text, "seconds": number})),
    ),
    outline=maps("name", "tasks", "batches", name=text, tasks=number, batches=number),
    failures=maps("host", "task", "status", "message", host=text, task=text, status=text, message=text),
)


def can_be_listed(record):
    """Beside others, which the client would refuse with it."""
    return record.keys() >= WHOLE and record["meta"].keys() >= NEEDED and bool(NAME.fullmatch(record["run"]))


shaped = each_of(("run", "ended"), RECORD)


def is_record(value):
    if not shaped(value):
        return False
    return "process" in value if value["ended"] is None else value.get("status") in STATUSES
