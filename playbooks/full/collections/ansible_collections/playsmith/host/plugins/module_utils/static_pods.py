"""Static pods of a control plane: what their manifests say, what runs of them, and what they wrote last."""

from __future__ import annotations

import glob
import json
import os
import re
import ssl
import time
import urllib.request

from ansible_collections.playsmith.host.plugins.module_utils.control_plane import MANIFESTS, running
from ansible_collections.playsmith.host.plugins.module_utils.host import read
from ansible_collections.playsmith.host.plugins.module_utils.kubeadm import last_lines
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import CONFIG, Failure, bracketed, run

# A component that ends so often with one manifest will not come to itself.
ENDS = 3
# Seconds that it must have run for: what cannot go on says so at once.
STEADY = 6


def path_of(component):
    return "%s%s.yaml" % (MANIFESTS, component)


def parsed(manifest):
    """The pod of a manifest; kubectl reads the YAML, and asks no server for it."""
    words = ("annotate", "--local", "--filename", "-", "playsmith.dev/read=yes", "--output", "json")
    return json.loads(run("kubectl", *words, text=manifest))


def with_members_of(present, wanted):
    """A member of etcd keeps what it was told about the others when it joined; it never reads it again."""
    kept = dict(re.findall(r"(?m)^(    - --initial-cluster(?:-state)?=)(.*)$", present))
    lines = []
    for line in wanted.splitlines(keepends=True):
        start = line.split("=", 1)[0] + "="
        lines.append(start + kept.pop(start) + "\n" if start in kept else line)
        if start == "    - --initial-cluster=" and "    - --initial-cluster-state=" in kept:
            lines.append("    - --initial-cluster-state=%s\n" % kept.pop("    - --initial-cluster-state="))
    return "".join(lines)


def containers(component):
    """Those of the component that containerd knows, the newest last, dead ones too."""
    words = ("ps", "--all", "--label", "io.kubernetes.container.name=" + component, "--output", "json")
    listed = json.loads(run("crictl", "--runtime-endpoint", "unix:///run/containerd/containerd.sock", *words))
    own = [each for each in listed["containers"] if each["labels"].get("io.kubernetes.pod.namespace") == "kube-system"]
    return sorted(own, key=lambda each: int(each["createdAt"]))


def arguments_of(process):
    with open("/proc/%d/cmdline" % process, "rb") as file:
        return [word.decode(errors="replace") for word in file.read().split(b"\0")[:-1]]


class Pod:
    """A static pod as its manifest says it."""

    def __init__(self, component, manifest):
        self.component = component
        pod = parsed(manifest)
        (container,) = (each for each in pod["spec"]["containers"] if each["name"] == component)
        self.command = container["command"]
        self.image = container["image"]
        self.ports = {each["name"]: each["containerPort"] for each in container.get("ports", [])}
        probe = (container.get("readinessProbe") or container["livenessProbe"])["httpGet"]
        host = probe.get("host") or "127.0.0.1"
        port = self.ports.get(probe["port"], probe["port"])
        self.server = "%s://%s:%s" % (probe.get("scheme", "HTTP").lower(), bracketed(host), port)
        self.path = probe["path"]

    def answers(self):
        """Why it does not answer as the kubelet asks it, or nothing."""
        context = ssl._create_unverified_context() if self.server.startswith("https") else None
        try:
            with urllib.request.urlopen(self.server + self.path, timeout=5, context=context):
                pass
            if self.component == "kube-apiserver":
                words = ("--kubeconfig", CONFIG, "--server", self.server, "--request-timeout", "5s")
                run("kubectl", *words, "get", "--raw", "/readyz", seconds=10)
        except (OSError, ValueError, Failure) as error:
            return "%s%s: %s" % (self.server, self.path, error)
        return ""

    def unwell(self, since=0.0):
        """Why what runs is not this pod and well, or nothing; of containers that are older than that nobody is asked."""
        try:
            processes = running(self.component)
            if not processes:
                return "it does not run"
            if [process for _, process in processes if arguments_of(process) != self.command]:
                return "what runs was started with other arguments"
            begun = max(int(each["createdAt"]) / 1e9 for each in containers(self.component))
        except (OSError, ValueError, Failure) as error:
            return "what runs cannot be read: %s" % error
        if len(processes) > 1 or begun < since:
            return "the one before it still runs"
        age = time.time() - begun
        return self.answers() or ("it has only just begun" if 0 <= age < STEADY else "")

    def ended(self, since):
        """How often what was begun since then has ended; of those that did the kubelet keeps the last one alone."""
        own = [each for each in containers(self.component) if int(each["createdAt"]) / 1e9 >= since]
        newest = own[-1:]
        return sum(int(each["metadata"].get("attempt", 0)) + (each["state"] == "CONTAINER_EXITED") for each in newest)

    def wait(self, seconds, since=0.0):
        """Waits until it is well; why it is not is raised."""
        end = time.monotonic() + seconds
        while True:
            why = self.unwell(since)
            if not why:
                return
            hopeless = since and self.ended(since) >= ENDS
            if hopeless or time.monotonic() > end:
                raise Failure("%s: %s" % (self.component, why if not hopeless else "it ends again and again"))
            time.sleep(1)


def last_words(component, since=0.0):
    """The reason why a component ended, out of its own log: what it calls an error, else its last lines."""
    found = glob.glob("/var/log/pods/kube-system_%s-*/%s/*.log" % (component, component))
    logs = [path for path in found if os.stat(path).st_mtime >= since - 1]
    lines = []
    for path in sorted(logs, key=os.path.getmtime)[-2:]:
        lines += [line.split(" ", 3)[-1].strip() for line in read(path).splitlines()[-200:]]
    # The flags of Go say what is wrong, and then all that would be right.
    pattern = r"([Ee]rror|panic|invalid value|flag provided|[EF]\d{4} )|.*\"level\":\"(fatal|error)\""
    errors = [line for line in lines if re.match(pattern, line)]
    return last_lines("\n".join(dict.fromkeys(errors or lines)), 3)
