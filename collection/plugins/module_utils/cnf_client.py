"""kubectl as the administrator and as the tenant of a CNF."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import CONFIG, ENVIRONMENT, Failure


class Refused(Failure):
    """What was asked for is not done, and why."""


class Client:
    """kubectl with one kubeconfig. No call waits without an end."""

    def __init__(self, kubeconfig, manager, *more):
        self.start = ("kubectl", "--kubeconfig=" + kubeconfig, "--request-timeout=30s", *more)
        self.manager = "--field-manager=" + manager

    def call(self, *words, given=None):
        try:
            return subprocess.run(
                [*self.start, *words],
                input=given,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                env=ENVIRONMENT,
                timeout=300,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise Refused("kubectl did not end within 300 s") from error

    def said(self, *words, given=None):
        done = self.call(*words, given=given)
        if done.returncode != 0:
            raise Refused(cause(done.stderr))
        return done.stdout

    def objects(self, *words, given=None):
        """The objects that a call prints as JSON: none, one, or those of a List."""
        text = self.said(*words, "--output=json", given=given)
        answer = json.loads(text) if text.strip() else {"kind": "List", "items": []}
        return answer["items"] if answer["kind"].endswith("List") else [answer]

    def found(self, objects):
        """Those of the objects that are there, by their identity."""
        if not objects:
            return {}
        there = self.objects("get", "--ignore-not-found", "--filename=-", given=list_of(objects))
        return {identity(each): each for each in there}

    def apply(self, objects, *words):
        if not objects:
            return {}
        how = ("apply", "--server-side", self.manager, "--filename=-", *words)
        return {identity(each): each for each in self.objects(*how, given=list_of(objects))}


def cause(text):
    """What the API server says, without kubectl's advice to take fields from whoever manages them."""
    lines = [line.strip() for line in text.split("Please review ")[0].splitlines()]
    return (
        plain(" ".join(line for line in lines if line and not line.startswith("Warning: "))) or "kubectl says nothing"
    )


def plain(text):
    """One line, with nothing that a terminal would obey."""
    return "".join(letter if letter.isprintable() else " " for letter in " ".join(text.split()))[:600]


def list_of(objects):
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": objects})


def identity(thing):
    """Group, kind, namespace and name: by these an object is the same in every version of its API."""
    version, metadata = thing["apiVersion"], thing["metadata"]
    group = version.split("/")[0] if "/" in version else ""
    return (group, thing["kind"], metadata.get("namespace", ""), metadata["name"])


def title(thing):
    return "%s %s" % (thing["kind"], thing["metadata"]["name"])


def comparable(thing):
    """What somebody asked for: nothing that the API server counts, and no status."""
    counted = ("managedFields", "resourceVersion", "generation", "selfLink")
    metadata = {key: value for key, value in thing["metadata"].items() if key not in counted}
    return dict({key: value for key, value in thing.items() if key != "status"}, metadata=metadata)


def changes(before, after):
    """`made Deployment web` and `changed Service web`, in the order in which they were applied."""
    for each, thing in after.items():
        if each not in before:
            yield "made " + title(thing)
        elif comparable(before[each]) != comparable(thing):
            yield "changed " + title(thing)


def delete(client, objects, seconds):
    """Deletes one kind after the other in the order given, and waits until all are gone."""
    told, end = [], time.monotonic() + seconds
    for thing in objects:
        if client.found([thing]):
            client.said("delete", "--ignore-not-found", "--wait=false", "--filename=-", given=list_of([thing]))
            told.append("deleted " + title(thing))
    while True:
        left = list(client.found(objects).values())
        if not left:
            return told
        if time.monotonic() > end:
            raise Refused("; ".join(stuck(each, seconds) for each in left))
        time.sleep(1)


def stuck(thing, seconds):
    held = ", ".join(thing["metadata"].get("finalizers") or [])
    return "%s is not gone after %d s%s" % (title(thing), seconds, ", held by " + held if held else "")


def ended_by_signal(number, _):
    sys.exit("ended by signal %d" % number)


def kubeconfig_of(admin, namespace, account, seconds):
    """The kubeconfig of a tenant, whose token is good for so long, and when that ends."""
    request = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": seconds}}
    path = "/api/v1/namespaces/%s/serviceaccounts/%s/token" % (namespace, account)
    made = json.loads(admin.said("create", "--raw", path, "--filename=-", given=json.dumps(request)))["status"]
    view = json.loads(admin.said("config", "view", "--raw", "--minify", "--output=json"))
    context = {"cluster": view["clusters"][0]["name"], "user": account, "namespace": namespace}
    return made["expirationTimestamp"], {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [view["clusters"][0]],
        "users": [{"name": account, "user": {"token": made["token"]}}],
        "contexts": [{"name": namespace, "context": context}],
        "current-context": namespace,
    }


@contextlib.contextmanager
def tenant(admin, namespace, account):
    """A client that is the tenant: its token lives two hours, its kubeconfig is root's alone, in memory, and leaves with us."""
    _, kubeconfig = kubeconfig_of(admin, namespace, account, 7200)
    folder = tempfile.mkdtemp(prefix="playsmith-cnf-", dir="/run")
    try:
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, ended_by_signal)
        file = os.path.join(folder, "kubeconfig")
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
            json.dump(kubeconfig, opened)
        yield Client(file, admin.manager.split("=", 1)[1])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def looking_as(admin, namespace, account):
    """In check mode nothing is made, no token either: the administrator asks as the tenant, where there is one."""
    manager = admin.manager.split("=", 1)[1]
    words = ("serviceaccount", account, "--namespace=" + namespace, "--ignore-not-found", "--output=name")
    if not admin.said("get", *words).strip():
        return None
    return Client(CONFIG, manager, "--as=system:serviceaccount:%s:%s" % (namespace, account))


def administrator(name):
    """The administrator of the cluster, who manages fields as the CNF of that name."""
    if not os.path.exists(CONFIG):
        says = "there is no %s on this host: CNFs need a cluster, and a kubectl host that is a control plane"
        raise Refused(says % CONFIG)
    return Client(CONFIG, "playsmith-" + name)


def definition(content):
    """What a CNF is made of, from its JSON in Base64."""
    return json.loads(base64.b64decode(content))


def end(module, work):
    """Ends a module with what work returns: what changed, or would in check mode, and what there is to tell, a line each."""
    name = module.params["name"]
    try:
        done, told = work(administrator(name))
    except Failure as problem:
        module.fail_json(msg="%s: %s" % (name, problem))
    difference = {"before": "", "after": "".join(line + "\n" for line in done)} if done else {}
    module.exit_json(changed=bool(done), done=done, told=told, diff=difference)
