"""Writes ConfigMaps through the Kubernetes API until told to stop: writer.py KUBECONFIG FILE PREFIX.

One after the other, a new connection each, given up after 3 s and then asked again under the same name. FILE gets one
JSON line a write that the API accepted: its name, and seconds since the start at which it was asked and accepted.
"""

import base64
import http.client
import json
import re
import signal
import ssl
import sys
import tempfile
import threading
import time
import urllib.parse

TIMEOUT, PAUSE = 3, 0.05


def client(path):
    text = open(path).read()

    def field(name):
        return re.search(rf"{name}: (\S+)", text).group(1)

    def pem(name):
        file = tempfile.NamedTemporaryFile(delete=False)
        file.write(base64.b64decode(field(name)))
        file.close()
        return file.name

    context = ssl.create_default_context(cafile=pem("certificate-authority-data"))
    context.load_cert_chain(pem("client-certificate-data"), pem("client-key-data"))
    return urllib.parse.urlsplit(field("server")), context


def write(url, context, name):
    """True once the API has it: 201, or 409 when an earlier attempt got through without an answer."""
    connection = http.client.HTTPSConnection(url.hostname, url.port, timeout=TIMEOUT, context=context)
    body = json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"name": name}})
    try:
        connection.request("POST", "/api/v1/namespaces/default/configmaps", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        return answer.status in (201, 409)
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


stopped = threading.Event()
signal.signal(signal.SIGTERM, lambda *_: stopped.set())
url, context = client(sys.argv[1])
start, number = time.monotonic(), 0
with open(sys.argv[2], "w", buffering=1) as out:
    while not stopped.is_set():
        name, asked = f"{sys.argv[3]}-{number}", time.monotonic() - start
        if write(url, context, name):
            out.write(json.dumps({"name": name, "asked": round(asked, 3), "accepted": round(time.monotonic() - start, 3)}) + "\n")
            number += 1
        stopped.wait(PAUSE)
