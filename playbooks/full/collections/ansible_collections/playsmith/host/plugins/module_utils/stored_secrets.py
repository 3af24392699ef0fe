"""Secrets as etcd holds them, and how the API server is brought to store them anew.

An empty patch is enough: the API server reads the Secret with the key that it has it under, finds that this is not the
first, and writes it with the first. No Secret leaves the API server, and what others write meanwhile is not lost.
"""

from __future__ import annotations

import base64
import http.client
import os
import socket
import subprocess
import tempfile
import time

from ansible_collections.playsmith.host.plugins.module_utils import etcd
from ansible_collections.playsmith.host.plugins.module_utils.control_plane import argument
from ansible_collections.playsmith.host.plugins.module_utils.encryption import PLAIN
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import CONFIG, ENVIRONMENT, Failure, again

PATIENCE = 60


def is_under(key, value):
    """Whether the value of a Secret is stored with a key, or without any."""
    if key == PLAIN:
        return not value.startswith(b"k8s:enc:")
    return value.startswith("k8s:enc:{}:v1:{}:".format(*key).encode())


def folder():
    prefix = argument("kube-apiserver", "etcd-prefix").strip("/") or "registry"
    return f"/{prefix}/secrets/".encode()


def in_base64(text):
    return base64.b64encode(text).decode()


def page(request):
    try:
        return etcd.ask("/v3/kv/range", request, seconds=20)
    except (OSError, ValueError) as error:
        raise Failure("etcd does not answer: %s" % error) from error


def stored_otherwise(key):
    """Namespace and name of each, a page after the other."""
    begin = start = folder()
    end = begin[:-1] + b"0"
    while start:
        request = {"key": in_base64(start), "range_end": in_base64(end), "limit": 200}
        found = again(PATIENCE, lambda asked=request: page(asked))
        pairs = [(base64.b64decode(pair["key"]), base64.b64decode(pair["value"])) for pair in found.get("kvs", [])]
        yield from (name[len(begin) :].decode() for name, value in pairs if not is_under(key, value))
        start = pairs[-1][0] + b"\0" if found.get("more") else b""


class Api(http.client.HTTPConnection):
    """The API as its administrator, through a socket that only root can open."""

    def __init__(self, path):
        super().__init__("localhost", timeout=30)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)

    def store_anew(self, secret):
        """The status that the API server answers with; of the Secret it only tells the metadata."""
        path = "/api/v1/namespaces/{}/secrets/{}".format(*secret.split("/"))
        kinds = {
            "Content-Type": "application/merge-patch+json",
            "Accept": "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
        }
        try:
            self.request("PATCH", path, "{}", kinds)
            answer = self.getresponse()
            answer.read()
            return f"the API answers {answer.status}"
        except (OSError, http.client.HTTPException) as error:
            self.close()
            return str(error)


def store_all(api, key):
    """Until etcd holds none otherwise, as long as they become fewer; how many there were."""
    found, least, end, told = set(), None, 0.0, ""
    while True:
        names = sorted(stored_otherwise(key))
        if not names:
            return len(found)
        if least is None or len(names) < least:
            least, end = len(names), time.monotonic() + PATIENCE
        elif time.monotonic() > end:
            raise Failure("%d Secrets are still stored otherwise, as %s: %s" % (len(names), names[0], told))
        else:
            time.sleep(1)
        for name in names:
            told = api.store_anew(name)
        found.update(names)


def store_all_anew(key):
    """Has every Secret stored anew that etcd holds otherwise than with this key."""
    os.umask(0o077)
    with tempfile.TemporaryDirectory(prefix="playsmith-", dir="/run") as private:
        address = os.path.join(private, "api")
        command = ["kubectl", "--kubeconfig", CONFIG, "proxy", "--unix-socket", address]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=ENVIRONMENT) as proxy:
            try:
                return store_all(Api(address), key)
            finally:
                proxy.terminate()
