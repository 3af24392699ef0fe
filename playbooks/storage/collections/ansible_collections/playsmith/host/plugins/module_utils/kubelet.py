"""A kubelet that is given another configuration, watched until its node is Ready, and given the old one back where it is not."""

from __future__ import annotations

import contextlib
import json
import os
import re
import time
import urllib.request

from ansible_collections.playsmith.host.plugins.module_utils.host import forget, read, write
from ansible_collections.playsmith.host.plugins.module_utils.kubeadm import KEPT, last_lines
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure, is_ready, run

PATH = "/var/lib/kubelet/config.yaml"
BEFORE = KEPT + "kubelet.yaml"
# The kubelet remembers in them what it gave to whom, and refuses to start under another policy.
STATES = {
    "cpuManagerPolicy": "/var/lib/kubelet/cpu_manager_state",
    "memoryManagerPolicy": "/var/lib/kubelet/memory_manager_state",
}
OWN = "/etc/kubernetes/kubelet.conf"


def healthy():
    try:
        with urllib.request.urlopen("http://127.0.0.1:10248/healthz", timeout=5):
            return True
    except (OSError, ValueError):
        return False


def asked(*words):
    return json.loads(run("kubectl", "--kubeconfig", OWN, "--request-timeout", "5s", "get", *words, "--output", "json"))


def ready(name, since):
    """Whether the node is Ready, and its kubelet has told the API so since a moment: a status that stays is told rarely."""
    try:
        lease = asked("lease", "--namespace", "kube-node-lease", name)["spec"]["renewTime"]
        told = time.strptime(lease[:19], "%Y-%m-%dT%H:%M:%S")
        return told >= time.gmtime(since) and is_ready(asked("node", name))
    except (Failure, KeyError):
        return False


def wait(name, since, seconds):
    end = time.monotonic() + seconds
    steady = 0
    while time.monotonic() < end:
        steady = steady + 1 if healthy() and (not name or ready(name, since)) else 0
        if steady >= 3:
            return
        if journal(since).count("Scheduled restart job") > 3:
            raise Failure("it ends again and again")
        time.sleep(1)
    raise Failure("its node is not Ready within %d s" % seconds if healthy() else "it does not answer")


def journal(since):
    with contextlib.suppress(Failure):
        return run("journalctl", "--unit", "kubelet", "--since", "@%d" % since, "--output", "cat", "--no-pager")
    return ""


def reason(since):
    lines = journal(since).splitlines()
    errors = [line for line in lines if re.search(r"(?i)^[EF]\d{4} |command failed|^Error|failed to run", line)]
    return last_lines("\n".join(errors or lines), 2)


def blocks(text):
    """Field to its lines, in the form in which kubeadm writes it."""
    return {block.split(":", 1)[0]: block for block in re.split(r"(?m)^(?=[A-Za-z])", text) if ":" in block}


def differing(present, wanted):
    old, new = blocks(present), blocks(wanted)
    return sorted(name for name in {*old, *new} if old.get(name) != new.get(name))


def start(text, fields):
    write(PATH, text, 0o644)
    run("systemctl", "stop", "kubelet")
    for field, state in STATES.items():
        if field in fields:
            forget(state)
    run("systemctl", "reset-failed", "kubelet")
    run("systemctl", "start", "kubelet")


def bring(name, wanted, seconds):
    """A configuration; one with which the node does not become Ready is taken back."""
    # Of a node that was not Ready before nobody waits for it.
    awaited = name if ready(name, 0) else ""
    if not os.path.exists(BEFORE):
        os.makedirs(KEPT, mode=0o700, exist_ok=True)
        write(BEFORE, read(PATH))
    # Against what the kubelet last ran well with: a run that was cut may have written the new one already.
    before = read(BEFORE)
    fields = differing(before, wanted)
    since = int(time.time())
    try:
        start(wanted, fields)
        wait(awaited, since, seconds)
    except Failure as error:
        said = reason(since)
        again = int(time.time())
        try:
            start(before, fields)
            wait(awaited, again, seconds)
        except Failure as second:
            raise Failure("the kubelet: %s. It said: %s. With its old settings: %s" % (error, said, second)) from None
        forget(BEFORE)
        raise Failure("the kubelet: %s. It said: %s. It has its old settings again" % (error, said)) from None
    forget(BEFORE)
