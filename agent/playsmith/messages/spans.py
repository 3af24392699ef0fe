"""A run as spans of OpenTelemetry, in the JSON form of OTLP: the run, its plays, their tasks, and each host of those."""
import hashlib
import itertools
import json

from playsmith.messages import tree
from playsmith.messages.facts import line, title, went_well

# Spans of one request; and of hosts in one run, those of its first tasks where there are more.
BATCH, MOST = 1000, 20000
INTERNAL, ERROR = 1, 2


def bodies(of, events):
    """Requests of a run that ended: `of` are its facts, `events` those of its file, from the first on."""
    spans = Trace(of).spans(events)
    while batch := list(itertools.islice(spans, BATCH)):
        yield body(of, batch)


class Trace:
    """The same run is the same trace, whoever sends it again."""

    def __init__(self, of):
        self.of = of
        self.id = hashed("%s/%s" % (of["cluster"], of["run"] or of["started"]), 32)
        self.hosts = 0

    def spans(self, events):
        """The run comes last: then is known how much of it was left out."""
        # Numbers, since each batch of a play has the names that Ansible gave to its tasks before.
        for number, play in enumerate(tree.plays(events)):
            yield self.span(str(number), "root", "play: %s" % play["name"], play)
            for place, task in enumerate(play["tasks"]):
                key, more = "%d/%d" % (number, place), {"ansible.task.module": task["action"]}
                yield self.span(key, str(number), "task: %s" % task["name"], task, more)
                yield from self.of_hosts(key, task)
        yield self.root()

    def of_hosts(self, parent, task):
        for each in task["hosts"]:
            self.hosts += 1
            if self.hosts > MOST:
                continue
            more = {"ansible.task.host.name": each["host"], "ansible.task.host.status": each["status"], "ansible.task.name": task["name"]}
            yield self.span("host/%d" % self.hosts, parent, "host: %s" % each["host"], each, more, each["message"])

    def root(self):
        of = self.of
        more = {"playsmith.hosts": of["hosts"], "playsmith.check": of["check"], "playsmith.spans.left_out": max(0, self.hosts - MOST)}
        more.update({"playsmith.%s" % key: of[key] for key in ("run", "playbook", "result", "operator", "digest")})
        about = {"start": tree.moment(of["started"]), "end": tree.moment(of["ended"]), "wrong": not went_well(of)}
        return self.span("root", None, "run: %s" % of["playbook"], about, more, title(of))

    def span(self, key, parent, name, about, more=(), message=""):
        return {
            "traceId": self.id, "spanId": self.span_id(key), "parentSpanId": "" if parent is None else self.span_id(parent),
            "name": line(name), "kind": INTERNAL, "attributes": attributes(dict(more)),
            "startTimeUnixNano": str(about["start"]), "endTimeUnixNano": str(max(about["start"], about["end"])),
            "status": {"code": ERROR, "message": line(message)} if about["wrong"] else {},
        }

    def span_id(self, key):
        return hashed("%s/%s" % (self.id, key), 16)


def body(of, spans):
    resource = {"attributes": attributes({"service.name": "playsmith", "service.namespace": of["cluster"]})}
    scopes = [{"scope": {"name": "playsmith"}, "spans": spans}]
    return json.dumps({"resourceSpans": [{"resource": resource, "scopeSpans": scopes}]}, ensure_ascii=False).encode()


def attributes(values):
    return [{"key": key, "value": typed(value)} for key, value in values.items()]


def typed(value):
    if isinstance(value, bool):
        return {"boolValue": value}
    return {"intValue": str(value)} if isinstance(value, int) else {"stringValue": line(value)}


def hashed(text, digits):
    return hashlib.sha256(text.encode()).hexdigest()[:digits]
