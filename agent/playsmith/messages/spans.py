"""A run as spans of OpenTelemetry, in the JSON form of OTLP: the run, its plays, their tasks, and each host of those."""
import datetime
import hashlib
import json

from playsmith.history.story import STATUSES, Story
from playsmith.messages.facts import line, title

# Spans of one request; and of one run, which are the hosts of its first tasks where there are more.
BATCH, MOST = 1000, 20000
INTERNAL, ERROR = 1, 2
WRONG = ("failed", "unreachable")


def bodies(of, events):
    """Requests of a run that ended: `of` are its facts, `events` those of its file, from the first on."""
    trace = hashed("%s/%s" % (of["cluster"], of["run"] or of["started"]), 32)
    tree = Tree(trace)
    batch = []
    for span in tree.spans(events):
        batch.append(span)
        if len(batch) == BATCH:
            yield body(of, batch)
            batch = []
    yield body(of, batch + [tree.root(of)])


class Tree:
    """Spans of plays and tasks are told when the play is over: only then is known when they ended."""

    def __init__(self, trace):
        self.trace = trace
        self.story = Story()
        self.play = None
        self.tasks = {}
        self.count = self.left_out = 0

    def spans(self, events):
        for event in events:
            data = event.get("event_data") or {}
            kind, at = event.get("event", ""), moment(event.get("created"))
            if kind == "playbook_on_play_start":
                yield from self.closed()
                self.play = self.begun("play", data.get("play_uuid"), data.get("name"), at, "root")
            elif kind == "playbook_on_task_start":
                more = {"ansible.task.module": data.get("task_action")}
                self.tasks[data.get("task_uuid")] = self.begun("task", data.get("task_uuid"), data.get("name"), at, data.get("play_uuid"), more)
            elif kind in STATUSES:
                yield from self.host(self.story.host(STATUSES[kind], data), data, at)
        yield from self.closed()

    def host(self, told, data, at):
        end = max(moment(data.get("end")) or at, at)
        start = moment(data.get("start")) or end - int(told["seconds"] * 1e9)
        task = self.tasks.get(data.get("task_uuid"))
        for each in filter(None, (task, self.play)):
            each["end"] = max(each["end"], end)
            each["wrong"] |= told["status"] in WRONG
        self.count += 1
        if self.count > MOST:
            self.left_out += 1
            return
        more = {"ansible.task.host.name": told["host"], "ansible.task.host.status": told["status"], "ansible.task.name": told["task"]}
        key = "%s/%s/%d" % (data.get("task_uuid"), told["host"], self.count)
        span = self.begun("host", key, told["host"], start, data.get("task_uuid"), more)
        span["end"], span["wrong"] = end, told["status"] in WRONG
        yield self.span(span, line(told["message"]) if span["wrong"] else "")

    def closed(self):
        for each in list(self.tasks.values()) + [self.play] * (self.play is not None):
            yield self.span(each)
        self.tasks, self.play = {}, None

    def begun(self, what, key, name, at, parent, more=()):
        return {
            "id": self.id(key), "parent": self.id(parent), "name": "%s: %s" % (what, line(name or "")), "start": at, "end": at,
            "wrong": False, "more": dict(more),
        }

    def id(self, key):
        return hashed("%s/%s" % (self.trace, key), 16)

    def span(self, each, message=""):
        return {
            "traceId": self.trace, "spanId": each["id"], "parentSpanId": each["parent"], "name": each["name"], "kind": INTERNAL,
            "startTimeUnixNano": str(each["start"]), "endTimeUnixNano": str(max(each["start"], each["end"])),
            "attributes": attributes(each["more"]), "status": status(each["wrong"], message),
        }

    def root(self, of):
        more = {"playsmith.spans.left_out": self.left_out, "playsmith.hosts": of["hosts"], "playsmith.check": of["check"]}
        more.update({"playsmith.%s" % key: of[key] for key in ("run", "playbook", "result", "operator", "digest")})
        is_wrong = of["result"] not in ("successful", "drifted")
        span = {"id": self.id("root"), "parent": "", "name": "run: %s" % of["playbook"], "wrong": is_wrong, "more": more}
        span.update(start=moment(of["started"]), end=moment(of["ended"]))
        return self.span(span, title(of) if is_wrong else "")


def body(of, spans):
    resource = {"attributes": attributes({"service.name": "playsmith", "service.namespace": of["cluster"]})}
    scopes = [{"scope": {"name": "playsmith"}, "spans": spans}]
    return json.dumps({"resourceSpans": [{"resource": resource, "scopeSpans": scopes}]}, ensure_ascii=False).encode()


def attributes(values):
    return [{"key": key, "value": typed(value)} for key, value in values.items() if value is not None]


def typed(value):
    if isinstance(value, bool):
        return {"boolValue": value}
    return {"intValue": str(value)} if isinstance(value, int) else {"stringValue": line(value)}


def status(is_wrong, message):
    return {"code": ERROR, "message": message} if is_wrong else {}


def hashed(text, digits):
    return hashlib.sha256(text.encode()).hexdigest()[:digits]


def moment(text):
    """Nanoseconds since 1970; 0 for what is no time. ansible-runner means UTC where it says nothing."""
    try:
        found = datetime.datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    except ValueError:
        return 0
    found = found if found.tzinfo else found.replace(tzinfo=datetime.timezone.utc)
    since = found - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    return ((since.days * 86400 + since.seconds) * 1000000 + since.microseconds) * 1000
