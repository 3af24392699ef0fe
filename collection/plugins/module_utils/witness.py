"""Asks an API server as a client does, 20 times a second, each time over a new connection that is given up after one second.

It imports nothing of the collection: its text is the program that runs in the background. Arguments: the file that takes a line
for each ask, and the URL. An API server that does not know who asks does answer.
"""

from __future__ import annotations

import http.client
import json
import signal
import ssl
import sys
import threading
import time
import urllib.parse

INTERVAL, TIMEOUT = 0.05, 1.0
AUTHORITY = "/etc/kubernetes/pki/ca.crt"


def is_answered(url, context):
    connection = http.client.HTTPSConnection(url.hostname, url.port, timeout=TIMEOUT, context=context)
    try:
        connection.request("GET", url.path)
        reply = connection.getresponse()
        reply.read()
        return reply.status in (200, 401, 403)
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def attempt(url, context, out, writing):
    asked = time.monotonic()
    well = is_answered(url, context)
    ended = time.monotonic()
    with writing:
        out.write(json.dumps({"asked": asked, "ended": ended, "ok": well and ended - asked <= 2 * TIMEOUT}) + "\n")


def ask(path, address):
    url, context = urllib.parse.urlsplit(address), ssl.create_default_context(cafile=AUTHORITY)
    stopped, writing = threading.Event(), threading.Lock()
    signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    start, turn, workers = time.monotonic(), 0, []
    with open(path, "w", buffering=1, encoding="utf-8") as out:
        while not stopped.is_set():
            worker = threading.Thread(target=attempt, args=(url, context, out, writing))
            worker.start()
            workers = [other for other in workers if other.is_alive()] + [worker]
            turn += 1
            stopped.wait(max(0, start + turn * INTERVAL - time.monotonic()))
        for worker in workers:
            worker.join()


if __name__ == "__main__":
    ask(*sys.argv[1:])
