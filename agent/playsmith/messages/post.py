"""One message to one receiver, over HTTP or by the server's own sendmail. Only who has one to send reads this file."""
import hashlib
import hmac
import http.client
import os
import shutil
import ssl
import subprocess
import time
import urllib.parse

from playsmith.messages import forms

# How long one try waits for the next byte.
SILENCE, PAUSE, TRIES = 8, 2, 2
MAILERS = "/usr/sbin:/usr/lib:/usr/bin"


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


def mailed(receiver, of, seconds):
    """By the server's own means: whoever set it up decides where it goes."""
    program = shutil.which("sendmail", path=MAILERS)
    if program is None:
        return "the Ansible server has no sendmail"
    done = subprocess.run(
        [program, "-i", "-t"], input=forms.mail(receiver, of), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": os.environ.get("HOME", "/")}, timeout=seconds, check=False,
    )
    return "" if done.returncode == 0 else "sendmail ended with %d" % done.returncode
