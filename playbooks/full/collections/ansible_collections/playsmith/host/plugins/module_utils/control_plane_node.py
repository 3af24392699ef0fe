"""What a control plane would not survive, or does not run as it should."""

from __future__ import annotations

import glob
import json
import os
import stat
import time

from ansible_collections.playsmith.host.plugins.module_utils import control_plane
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure, outlasting, run

ETC = "/etc/kubernetes/"
# The kubelet waits up to five minutes before it starts again what ended several times, be it for an API server that was away.
PATIENCE = 330


def lacking(node):
    found = control_plane.lacking(ETC)
    return ["it lacks %s: npx task heal-node %s" % (", ".join(found), node)] if found else []


def files(node):
    secrets = glob.glob(ETC + "*.conf") + glob.glob(ETC + "pki/**/*.key", recursive=True)
    read = [path for path in sorted(secrets) if stat.S_IMODE(os.stat(path).st_mode) & 0o007]
    # Those that were read meanwhile are known; the mode alone can be taken back.
    return lacking(node) + (["everybody on it may read %s: chmod 0600 there" % ", ".join(read)] if read else [])


def containers():
    words = ("ps", "--all", "--output", "json")
    try:
        return json.loads(run("crictl", "--runtime-endpoint", "unix:///run/containerd/containerd.sock", *words))[
            "containers"
        ], []
    except Failure as problem:
        return [], ["its container runtime does not answer: " + str(problem).splitlines()[-1]]


def of_component(node, name, listed):
    """The kubelet numbers the attempts at one manifest, and gives each manifest a pod of its own."""
    pod = "%s-%s" % (name, node)
    own = [each for each in listed if each["labels"].get("io.kubernetes.pod.name") == pod]
    own.sort(key=lambda each: int(each["createdAt"]))
    if not own:
        return ["%s does not run: crictl ps --all, journalctl --unit kubelet" % name]
    newest, uid = own[-1], "io.kubernetes.pod.uid"
    running = [each for each in own if each["state"] == "CONTAINER_RUNNING"]
    older = [each["id"][:13] for each in running if each["labels"].get(uid) != newest["labels"].get(uid)]
    if older:
        says = "%s of an older manifest runs on, and that of the present one cannot begin: crictl stop %s"
        return [says % (name, " ".join(older))]
    attempts, age = int(newest["metadata"].get("attempt", 0)), time.time() - int(newest["createdAt"]) / 1e9
    if newest in running and attempts == 0 and 0 <= age < 5:
        return ["%s has only just begun, and may end again: npx task run verify" % name]
    if newest not in running or (attempts > 0 and 0 <= age < 30):
        return ["%s ends again and again, %d times so far: crictl logs %s" % (name, attempts or 1, newest["id"][:13])]
    return []


def components(node):
    listed, problems = containers()
    return problems or [problem for name in control_plane.COMPONENTS for problem in of_component(node, name, listed)]


def examine(node):
    return files(node) + outlasting(PATIENCE, lambda: components(node))
