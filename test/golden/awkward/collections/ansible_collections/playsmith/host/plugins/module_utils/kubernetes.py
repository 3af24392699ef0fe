"""What modules ask of a cluster, as root of one of its control planes."""

from __future__ import annotations

import json
import os
import subprocess
import time

CONFIG = "/etc/kubernetes/admin.conf"
# The ConfigMap that says which labels and taints are the definition's. Of an annotation its node's own kubelet may say anything.
MARKS = "playsmith-marks"
# The annotation of nodes that an operation cordoned, with what for.
CORDONED = "playsmith.dev/cordoned-for"
UNMARKED: dict = {"labels": [], "taints": []}
# containerd from an archive lies in /usr/local.
ENVIRONMENT = {**os.environ, "KUBECONFIG": CONFIG, "PATH": os.environ.get("PATH", os.defpath) + ":/usr/local/bin"}


class Failure(Exception):
    """What went wrong, in words for a person."""


def run(*words, seconds=None, text=None):
    """What a program prints. Where it fails, what it said is the failure."""
    try:
        done = subprocess.run(
            words, input=(text or "").encode(), capture_output=True, env=ENVIRONMENT, timeout=seconds, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Failure("%s: %s" % (words[0], error)) from error
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip()).decode(errors="replace").splitlines()
        raise Failure("%s failed: %s" % (" ".join(words[:2]), "\n".join(said[-40:])))
    return done.stdout.decode(errors="replace")


def works(*words, seconds=None):
    try:
        run(*words, seconds=seconds)
    except Failure:
        return False
    return True


def kubectl(*words, text=None):
    return run("kubectl", *words, text=text)


def get(*words):
    """An object of the cluster, or a list of them."""
    return json.loads(kubectl("get", *words, "--request-timeout", "20s", "--output", "json"))


def find(kind, name, *words):
    """An object of the cluster; none where it is not there."""
    found = kubectl("get", kind, name, *words, "--ignore-not-found", "--request-timeout", "20s", "--output", "json")
    return json.loads(found) if found.strip() else None


def patiently(seconds, test, pause=1):
    """Whether something comes true in time. It is asked at least once; only the last question may not fail."""
    end = time.monotonic() + seconds
    while True:
        failure = None
        try:
            if test():
                return True
        except Failure as problem:
            # The API stalls while a control plane or etcd comes or goes.
            failure = problem
        if time.monotonic() > end:
            if failure:
                raise failure
            return False
        time.sleep(pause)


def outlasting(seconds, find, pause=1):
    """The problems that are found all the time; it is looked at least once."""
    found: list[str] = []

    def is_well():
        found[:] = find()
        return not found

    patiently(seconds, is_well, pause)
    return found


def wait(seconds, test, sentence):
    try:
        is_well = patiently(seconds, test)
    except Failure as problem:
        raise Failure("%s (%s)" % (sentence, problem)) from problem
    if not is_well:
        raise Failure(sentence)


def again(seconds, work):
    """The API may stall for a moment, while etcd takes a member in or lets one go."""
    end = time.monotonic() + seconds
    while True:
        try:
            return work()
        except Failure:
            if time.monotonic() > end:
                raise
            time.sleep(1)


def is_ready(node):
    return any(each["type"] == "Ready" and each["status"] == "True" for each in node["status"].get("conditions", []))


def marks():
    """Labels and taints that the definition gave, by the uid of the node: another node of its name never had them."""
    noted = find("configmap", MARKS, "--namespace", "kube-system") or {}
    return {uid: marks_in(text) for uid, text in (noted.get("data") or {}).items()}


def marks_in(text):
    try:
        own = json.loads(text)
        return {part: [each for each in own[part] if isinstance(each, str)] for part in UNMARKED}
    except (ValueError, TypeError, KeyError, RecursionError):
        return UNMARKED


def bracketed(address):
    return "[%s]" % address if ":" in address else address


def answer(module, work):
    """Ends a module with what work returns: (changed, what was done, a line each, more results)."""
    try:
        changed, done, more = work()
    except Failure as problem:
        module.fail_json(msg=str(problem))
    difference = {"before": "", "after": "".join(line + "\n" for line in done)} if changed and done else {}
    module.exit_json(changed=changed, done=done, diff=difference, **more)
