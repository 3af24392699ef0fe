"""Tells receivers how a run ended: when it is over and its lock is free, each in a process of its own that does not last."""
import contextlib
import hashlib
import hmac
import http.client
import json
import os
import resource
import shutil
import signal
import ssl
import subprocess
import time
import urllib.parse

from playsmith.fault import Fault
from playsmith.history import record
from playsmith.history.events import EventReader
from playsmith.messages import ara, facts, forms, spans
from playsmith.places import write_json

# How long a receiver has, with both tries; and how long one try waits for the next byte.
SECONDS, SILENCE, PAUSE, TRIES = 20, 8, 2, 2
# Those that are sent all of a run.
LONGER = 300
MEMORY = 1 << 30
FILE = "messages.json"
MAILERS = "/usr/sbin:/usr/lib:/usr/bin"


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
    """Empty, or why not."""
    if receiver["kind"] == "email":
        return mailed(receiver, of)
    secret = {key: values[variable] for key, variable in receiver["secrets"].items()}
    if receiver["kind"] == "opentelemetry":
        return next(filter(None, (patiently("opentelemetry", secret, body) for body in spans.bodies(of, events_of(folder)))), "")
    if receiver["kind"] == "ara":
        return ara.record(secret, of, record.look(folder) or {} if folder else {}, events_of(folder))
    return patiently(receiver["kind"], secret, forms.body(receiver["kind"], of))


def events_of(folder):
    return EventReader(folder).fresh() if folder else ()


def patiently(kind, secret, body):
    for attempt in range(TRIES):
        if attempt:
            time.sleep(PAUSE)
        reason, is_final = posted(kind, secret, body)
        if is_final:
            break
    return reason


def posted(kind, secret, body):
    """Why it was not taken, and whether another try would be in vain."""
    key = "endpoint" if kind == "opentelemetry" else "webhookUrl"
    url = urllib.parse.urlsplit(secret[key])
    if url.scheme not in ("http", "https") or not url.hostname:
        return "its %s is no address of http or https" % key, True
    make = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    more = {"context": ssl.create_default_context()} if url.scheme == "https" else {}
    # A message to a room has a number: the same one twice is one message there.
    more_path = {"matrix": "/" + hashlib.sha256(body).hexdigest()[:32], "opentelemetry": "/v1/traces"}.get(kind)
    path = url.path.rstrip("/") + more_path if more_path else url.path or "/"
    method, path = "PUT" if kind == "matrix" else "POST", path + ("?" + url.query if url.query else "")
    try:
        connection = make(url.hostname, url.port, timeout=SILENCE, **more)
        connection.request(method, path, body, headers(secret, body))
        # Neither what it answers nor where it points to is of interest.
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        return "it cannot be reached: %s" % type(error).__name__, False
    return ("", True) if 200 <= status < 300 else ("it answers with the status %d" % status, status < 500)


def headers(secret, body):
    found = {"Content-Type": "application/json", "User-Agent": "playsmith"}
    if secret.get("accessToken"):
        found["Authorization"] = "Bearer " + secret["accessToken"]
    # As OTEL_EXPORTER_OTLP_HEADERS has them: key=value, with commas between, in which others are written with a percent sign.
    for each in filter(None, secret.get("headers", "").split(",")):
        name, _, value = each.partition("=")
        found[urllib.parse.unquote(name.strip())] = urllib.parse.unquote(value.strip())
    if secret.get("signingKey"):
        now = str(int(time.time()))
        signed = hmac.new(secret["signingKey"].encode(), now.encode() + b"." + body, hashlib.sha256)
        found.update({"X-Playsmith-Timestamp": now, "X-Playsmith-Signature": "sha256=" + signed.hexdigest()})
    return found


def mailed(receiver, of):
    """By the server's own means: whoever set it up decides where it goes."""
    program = shutil.which("sendmail", path=MAILERS)
    if program is None:
        return "the Ansible server has no sendmail"
    done = subprocess.run(
        [program, "-i", "-t"], input=forms.mail(receiver, of), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": os.environ.get("HOME", "/")}, timeout=SECONDS - 2, check=False,
    )
    return "" if done.returncode == 0 else "sendmail ended with %d" % done.returncode


def untold(folder):
    """What a person should hear of messages of a run: a sentence for each that was not taken."""
    try:
        with open(os.path.join(folder, FILE), encoding="utf-8") as file:
            rows = json.load(file)
        return ["the message %s of %s was not sent: %s" % (each["name"], os.path.basename(folder), each["reason"]) for each in rows if each["reason"]]
    except (OSError, ValueError, KeyError, TypeError):
        return []
