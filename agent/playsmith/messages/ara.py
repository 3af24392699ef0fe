"""A run as ARA's server records it, over ARA's interface, so that no program of ARA has to be part of a run."""
import base64
import contextlib
import datetime
import http.client
import json
import socket
import ssl
import urllib.parse

from playsmith.messages import tree
from playsmith.messages.facts import line, went_well

# The longest name that ARA keeps.
NAME = 255
# What ARA calls each status of a host.
STATUSES = {"changed": "ok", "ignored": "failed"}
SILENCE = 20


class Refused(Exception):
    """ARA answered with something else than that it took what was sent."""


def record(secret, of, found, events):
    """Sends the run; `of` are its facts, `found` is its record. Empty, or why not."""
    url = urllib.parse.urlsplit(secret["server"])
    if url.scheme not in ("http", "https") or not url.hostname:
        return "its server is no address of http or https"
    try:
        Recorder(Server(url, secret), of, found).all(events)
    except Refused as refused:
        return str(refused)
    except (OSError, http.client.HTTPException) as error:
        return "it cannot be reached: %s" % type(error).__name__
    return ""


class Server:
    """One connection for all of it, which is several thousand small requests of a long run."""

    def __init__(self, url, secret):
        make = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
        more = {"context": ssl.create_default_context()} if url.scheme == "https" else {}
        self.connection = make(url.hostname, url.port, timeout=SILENCE, **more)
        self.base = url.path.rstrip("/") + "/api/v1/"
        self.headers = {"Content-Type": "application/json", "User-Agent": "playsmith"}
        if secret.get("username"):
            pair = "%s:%s" % (secret["username"], secret.get("password", ""))
            self.headers["Authorization"] = "Basic " + base64.b64encode(pair.encode()).decode()

    def post(self, what, **values):
        return self.sent("POST", what, values)["id"]

    def patch(self, what, **values):
        self.sent("PATCH", what, values)

    def sent(self, method, what, values):
        self.connection.request(method, self.base + what, json.dumps(values).encode(), self.headers)
        self.acknowledge_now()
        answer = self.connection.getresponse()
        text = answer.read(1 << 20)
        if not 200 <= answer.status < 300:
            raise Refused("it answers with the status %d" % answer.status)
        try:
            return {"id": int(json.loads(text)["id"])}
        except (ValueError, KeyError, TypeError):
            raise Refused("it does not answer as ARA does") from None

    def acknowledge_now(self):
        """A server that writes an answer in two parts waits with the second for our word of the first: 40 ms each time, and ours is asked late."""
        with contextlib.suppress(OSError, AttributeError):
            self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)


class Recorder:
    def __init__(self, server, of, found):
        self.server, self.of, self.found = server, of, found
        self.hosts = {}

    def all(self, events):
        of = self.of
        self.playbook = self.server.post("playbooks", **self.about())
        self.file = self.server.post("files", path=of["playbook"], content="bundle %s" % of["digest"], playbook=self.playbook)
        for name, counts in (self.found.get("recap") or {}).items():
            self.host(name, counts)
        for play in tree.plays(events):
            self.play(play)
        status = "completed" if went_well(of) else "failed"
        self.server.patch("playbooks/%d" % self.playbook, status=status, ended=of["ended"])

    def about(self):
        of, versions = self.of, self.found.get("versions") or {}
        return {
            "name": of["run"][:NAME], "path": of["playbook"], "status": "running", "started": of["started"], "user": of["operator"][:NAME],
            "ansible_version": versions.get("ansible-core", ""), "python_version": versions.get("python", ""), "controller": "playsmith",
            "client_version": "playsmith", "arguments": {"check": of["check"], "digest": of["digest"]},
            "labels": [of["cluster"], "result: %s" % of["result"]],
        }

    def play(self, play):
        # Of plays ARA knows only whether they are over.
        keys = dict(times(play), playbook=self.playbook, status="completed")
        number = self.server.post("plays", name=line(play["name"])[:NAME], uuid=play["uuid"][:36], **keys)
        for task in play["tasks"]:
            self.task(task, number)

    def task(self, task, play):
        keys = dict(times(task), playbook=self.playbook, play=play, file=self.file, status="failed" if task["wrong"] else "completed")
        names = {"name": line(task["name"])[:NAME], "action": task["action"][:NAME], "uuid": task["uuid"][:36]}
        number = self.server.post("tasks", handler=task["handler"], lineno=1, tags=[], **names, **keys)
        for each in task["hosts"]:
            keys = dict(times(each), playbook=self.playbook, play=play, task=number, host=self.host(each["host"], {}))
            status = STATUSES.get(each["status"], each["status"])
            content = {"msg": each["message"]} if each["message"] else {}
            about = {"changed": each["status"] == "changed", "ignore_errors": each["status"] == "ignored", "content": content}
            self.server.post("results", status=status, **about, **keys)

    def host(self, name, counts):
        if name not in self.hosts:
            known = {key: counts.get(key, 0) for key in ("ok", "changed", "failed", "skipped", "unreachable")}
            self.hosts[name] = self.server.post("hosts", name=name[:NAME], facts={}, playbook=self.playbook, **known)
        return self.hosts[name]


def times(about):
    return {"started": iso(about["start"]), "ended": iso(max(about["start"], about["end"]))}


def iso(moment):
    return datetime.datetime.fromtimestamp(moment / 1e9, datetime.timezone.utc).isoformat()
