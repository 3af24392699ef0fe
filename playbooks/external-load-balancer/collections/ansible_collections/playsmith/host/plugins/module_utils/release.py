"""What a release of Kubernetes does not run on. It comes as a dictionary, see files/preflight/release.yml of a bundle."""

from __future__ import annotations

import os
import re
import shutil

from ansible_collections.playsmith.host.plugins.module_utils.host import first_match, output, read

SEARCH = "/usr/local/sbin:/usr/local/bin:" + os.environ.get("PATH", "")
# A gate stands as Name=true in an argument, as Name: true in a file.
GATE = r"\b%s\s*[=:]\s*\"?(true|false)\b"
# The value of an argument stands beside its name, or on the next line.
PLUGIN = r"admission-plugins\b[^\n]*\n?[^\n]*\b%s\b"


def named(release):
    return "Kubernetes 1.%d" % release["minor"]


def numbers(version):
    return [int(number) for number in re.findall(r"\d+", version)[:3]]


def is_before(version, other):
    return numbers(version) < numbers(other)


def line(version):
    return numbers(version)[:2]


def removed_settings(release, where, text, removed):
    """What a text names of that; a kind of setting comes with the pattern by which it is found."""
    for kind, (pattern, names) in removed.items():
        told = [name for name in names if re.search(pattern % re.escape(name), text)]
        if told:
            says = (
                "%s names the %s%s %s, which %s does not know any more: nothing starts with it, take it out there first"
            )
            yield says % (where, kind, "s" * (len(told) > 1), ", ".join(told), named(release))


def of_cgroup(release, kind):
    if kind == "cgroup2" or not release["refuses_cgroup_v1"]:
        return []
    seen = "it has cgroup v1 (%s on /sys/fs/cgroup), which %s refuses: " % (kind or "nothing", named(release))
    way = "boot it with systemd.unified_cgroup_hierarchy=1, or say installer.kubeadm.kubelet.failCgroupV1: false until then"
    return [seen + way]


def of_kernel(release, version):
    since = release["kernels_from"]
    if not is_before(version, since) or any(line(version) == line(each) for each in release["kernels"]):
        return []
    lines = ", ".join([*release["kernels"], since + " or newer"])
    return ["its kernel is %s, and %s wants %s: install one of these and boot it" % (version, named(release), lines)]


def of_containerd(release, version, is_candidate):
    """Problems and notices: before a version it does not start, outside the matrix nobody has tried."""
    what = ("apt would install containerd " if is_candidate else "it runs containerd ") + version
    way = ": `containerd.archive` of the definition brings another" + ("" if is_candidate else ", applied before this")
    refused, tested = release["containerd_refused_before"], release["containerd"]
    if refused and is_before(version, refused):
        return [what + ", and %s does not start before %s" % (named(release), refused) + way], []
    if not tested or line(version) > max(map(line, tested)):
        return [], []
    if any(line(version) == line(each) and not is_before(version, each) for each in tested):
        return [], []
    says = ", which nobody tested with %s; tested are %s" % (named(release), ", ".join(each + "+" for each in tested))
    return [], [what + says + way]


def of_runc(release, version, kind):
    if kind != "cgroup2" or not version or not is_before(version, release["runc"]):
        return []
    says = "its runc is %s, and cgroup v2 wants %s or newer: `containerd.archive.runc` of the definition brings another"
    return [says % (version, release["runc"])]


def printed(*words):
    return output(*words, timeout=20, env={**os.environ, "PATH": SEARCH, "LC_ALL": "C"}) or ""


def cgroup_kind():
    return "".join(re.findall(r"(?m)^[^ \n]+ /sys/fs/cgroup ([^ \n]+) ", read("/proc/self/mounts"))[-1:])


def containerd():
    """The version, and whether it is only what apt would install."""
    service = first_match(r"path=(\S+)", printed("systemctl", "show", "containerd", "--property=ExecStart"))
    program = service or shutil.which("containerd", path=SEARCH) or ""
    version = first_match(r"\sv?(\d+\.\d+\.\d+)", printed(program, "--version")) if program else ""
    offered = "" if version else printed("apt-cache", "policy", "containerd")
    candidate = first_match(r"Candidate: (\d+\.\d+\.\d+)", offered)
    return version or candidate, not version


def of_runtime(release, kind):
    version, is_candidate = containerd()
    problems, notices = of_containerd(release, version, is_candidate) if version else ([], [])
    runc = first_match(r"^runc version (\d+\.\d+\.\d+)", printed("runc", "--version"))
    return problems + of_runc(release, runc, kind), notices


def of_kubelet(release):
    paths = ("/var/lib/kubelet/kubeadm-flags.env", "/etc/default/kubelet", "/var/lib/kubelet/config.yaml")
    removed = {"feature gate": (GATE, release["removed_gates"]), "argument": (r"--%s\b", release["removed_arguments"])}
    return [problem for path in paths for problem in removed_settings(release, path, read(path), removed)]


def of_host(release, is_upgrade):
    """Problems and notices. Hosts that are nodes already are asked by an upgrade alone."""
    if not is_upgrade and os.path.exists("/etc/kubernetes/kubelet.conf"):
        return [], []
    kind = cgroup_kind()
    problems = of_cgroup(release, kind) + of_kernel(release, os.uname().release)
    # What the definition brings takes the place of what is there.
    runtime = of_runtime(release, kind) if is_upgrade or not release["containerd_replaced"] else ([], [])
    return problems + runtime[0] + (of_kubelet(release) if is_upgrade else []), runtime[1]
