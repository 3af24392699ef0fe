"""Asks an address again and again until told to stop: probe.py URL FILE [INTERVAL TIMEOUT].

One new connection each 50 ms, given up after 200 ms, where nothing else is said. FILE gets one JSON line an attempt:
seconds since the start at which it was asked and ended, whether it was answered with 200, and by whom, or what went wrong.
"""

import http.client
import json
import signal
import ssl
import sys
import threading
import time
import urllib.parse

INTERVAL, TIMEOUT = [float(word) for word in sys.argv[3:]] or (0.05, 0.2)
url, path = urllib.parse.urlsplit(sys.argv[1]), sys.argv[2]
context = ssl._create_unverified_context()
stopped, writing = threading.Event(), threading.Lock()


def connect():
    if url.scheme == "http":
        return http.client.HTTPConnection(url.hostname, url.port or 80, timeout=TIMEOUT)
    return http.client.HTTPSConnection(url.hostname, url.port or 443, timeout=TIMEOUT, context=context)


def ask():
    connection = connect()
    try:
        connection.request("GET", url.path or "/")
        answer = connection.getresponse()
        answer.read()
        return answer.status == 200, answer.getheader("X-Answered-By", "")
    except (OSError, http.client.HTTPException) as error:
        return False, str(error) or type(error).__name__
    finally:
        connection.close()


def attempt(out):
    asked = time.monotonic() - start
    answered, by = ask()
    ended = time.monotonic() - start
    with writing:
        out.write(json.dumps({"asked": round(asked, 4), "ended": round(ended, 4),
                              "ok": answered and ended - asked <= 2 * TIMEOUT, "by": by}) + "\n")


signal.signal(signal.SIGTERM, lambda *_: stopped.set())
start, turn, workers = time.monotonic(), 0, []
with open(path, "w", buffering=1) as out:
    while not stopped.is_set():
        worker = threading.Thread(target=attempt, args=(out,))
        worker.start()
        workers = [other for other in workers if other.is_alive()] + [worker]
        turn += 1
        stopped.wait(max(0, start + turn * INTERVAL - time.monotonic()))
    for worker in workers:
        worker.join()
