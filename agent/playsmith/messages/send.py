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
from playsmith.messages import facts, forms
from playsmith.places import write_json

# How long a receiver has, with both tries; and how long one try waits for the next byte.
SECONDS, SILENCE, PAUSE, TRIES = 20, 8, 2, 2
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
        told = about(facts.of_run(request, found), wanted)
        if told:
            write_json(os.path.join(folder, FILE), told)


def about(of, wanted):
    """A row for each receiver that wanted to hear of it: `reason` is empty where it took the message."""
    meant = [each for each in wanted["receivers"] if of["result"] in each["on"]]
    begun = [(each["name"], *apart(each, wanted["values"], of)) for each in meant]
    return [{"name": name, "reason": ended(pid, reader)} for name, pid, reader in begun]


def apart(receiver, values, of):
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
        signal.alarm(SECONDS)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        reason = sent(receiver, values, of)
    except BaseException as error:
        # The words of an error may hold the address, which is a secret.
        reason = type(error).__name__
    finally:
        with contextlib.suppress(OSError):
            os.write(writer, facts.line(reason).encode())
        os._exit(0)


def ended(pid, reader):
    with os.fdopen(reader, "rb") as pipe:
        reason = pipe.read(4096).decode("utf-8", "replace")
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return "it did not take the message within %d seconds" % SECONDS if code == -signal.SIGALRM else reason


def sent(receiver, values, of):
    """Empty, or why not."""
    if receiver["kind"] == "email":
        return mailed(receiver, of)
    secret = {key: values[variable] for key, variable in receiver["secrets"].items()}
    body = forms.body(receiver["kind"], of)
    for attempt in range(TRIES):
        if attempt:
            time.sleep(PAUSE)
        reason, is_final = posted(receiver["kind"], secret, body)
        if is_final:
            break
    return reason


def posted(kind, secret, body):
    """Why it was not taken, and whether another try would be in vain."""
    url = urllib.parse.urlsplit(secret["webhookUrl"])
    if url.scheme not in ("http", "https") or not url.hostname:
        return "its webhookUrl is no address of http or https", True
    make = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    more = {"context": ssl.create_default_context()} if url.scheme == "https" else {}
    # A message to a room has a number: the same one twice is one message there.
    path = "%s/%s" % (url.path.rstrip("/"), hashlib.sha256(body).hexdigest()[:32]) if kind == "matrix" else url.path or "/"
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
