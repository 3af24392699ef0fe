"""The etcd member of this host, and the others that it knows."""

from __future__ import annotations

import json
import os
import ssl
import urllib.error
import urllib.request

from ansible_collections.playsmith.host.plugins.module_utils.host import first_match, read
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure, run, works

HERE = "https://localhost:2379"
PKI = "/etc/kubernetes/pki/etcd/"
MANIFEST = "/etc/kubernetes/manifests/etcd.yaml"
MENDS = {"NOSPACE": "run etcd-defragment", "CORRUPT": "heal-node"}


def ask(path, request=None, url=HERE, seconds=10):
    """What a member answers over its JSON gateway; OSError or ValueError where it does not."""
    context = ssl.create_default_context(cafile=PKI + "ca.crt")
    context.load_cert_chain(PKI + "healthcheck-client.crt", PKI + "healthcheck-client.key")
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context))
    body = None if request is None else json.dumps(request).encode()
    with opener.open(urllib.request.Request(url + path, body), timeout=seconds) as reply:
        return json.load(reply)


def members():
    """All of etcd, as the member of this host knows them."""
    try:
        return ask("/v3/cluster/member/list", {}, seconds=20).get("members", [])
    except (OSError, ValueError) as error:
        raise Failure("etcd of this control plane does not answer, it may lack its quorum: %s" % error) from error


def alarms():
    return ask("/v3/maintenance/alarm", {"action": "GET"}).get("alarms", [])


def remove(member):
    try:
        ask("/v3/cluster/member/remove", {"ID": member["ID"]}, seconds=20)
    except urllib.error.HTTPError as error:
        raise Failure("etcd keeps its member %x: %s" % (int(member["ID"]), error.read().decode())) from error
    except (OSError, ValueError) as error:
        raise Failure("etcd keeps its member %x: %s" % (int(member["ID"]), error)) from error


def is_healthy(member):
    for url in member.get("clientURLs", []):
        try:
            if str(ask("/health", url=url, seconds=8).get("health")) == "true":
                return True
        except (OSError, ValueError):
            pass
    return False


def is_running(member):
    """It answers, even where it has no leader."""
    for url in member.get("clientURLs", []):
        try:
            ask("/health", url=url, seconds=8)
            return True
        except urllib.error.HTTPError:
            return True
        except (OSError, ValueError):
            pass
    return False


def answers():
    """Whether the member of this host reads through its quorum: without a certificate, as its probes ask."""
    for loopback in ("127.0.0.1", "[::1]"):
        try:
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            with opener.open("http://%s:2381/health" % loopback, timeout=8) as reply:
                if '"health":"true"' in reply.read().decode():
                    return True
        except (OSError, ValueError):
            pass
    return False


def image():
    return first_match(r"^ *image: *(\S+)", read(MANIFEST))


def program(*words):
    """Runs a program of the image that this host's etcd runs from, with etcd's files, whether etcd runs or not."""
    ctr = ("ctr", "--namespace", "k8s.io")
    for leftover in (("tasks", "kill", "--signal", "SIGKILL"), ("containers", "delete")):
        works(*ctr, *leftover, "playsmith-etcd")
    mount = "type=bind,src={0},dst={0},options=rbind:{1}"
    mounts = ["--mount", mount.format(PKI.rstrip("/"), "ro"), "--mount", mount.format("/var/lib/etcd", "rw")]
    return run(*ctr, "run", "--rm", "--net-host", *mounts, image(), "playsmith-etcd", *words)


def client(*words):
    key = os.path.join(PKI, "healthcheck-client")
    options = ["--endpoints", "https://127.0.0.1:2379", "--cacert", PKI + "ca.crt"]
    return program("etcdctl", *options, "--cert", key + ".crt", "--key", key + ".key", *words)


def offline(*words):
    """etcd 3.6 took the offline commands out of etcdctl."""
    try:
        program("etcdutl", "version")
    except Failure:
        return program("etcdctl", *words)
    return program("etcdutl", *words)
