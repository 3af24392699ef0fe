#!/usr/bin/python3
"""Lays out the lab's Kubernetes as a mirror that kubespray downloads from: mirror.py ARTIFACTS OUT REGISTRY VERSIONS

OUT/<host>/<path> is every file that a node asks for, under the name of the host that it would come from, as
installer.kubespray.offline.files wants it. VERSIONS is JSON, by kubespray's names. Images go to REGISTRY under the paths that they
have where they come from. Prints the SHA-256 checksum of each file by kubespray's name for it, as JSON.
"""

import gzip
import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile

artifacts, out, registry, versions = sys.argv[1], sys.argv[2], sys.argv[3], json.loads(sys.argv[4])
kubernetes, etcd, containerd = versions["kubernetes"], versions["etcd"], versions["containerd"]
RELEASES = "github.com/%s/releases/download/v%s/%s"
# The module of nerdctl is refused by Go's proxy: what kubespray calls of it, by the real ctr of the same containerd.
NERDCTL = """#!/bin/sh
set -eu
case "$*" in
'-n k8s.io images --format '*) exec /usr/local/bin/ctr --namespace k8s.io images list --quiet ;;
'-n k8s.io pull --quiet '*) shift 4; exec /usr/local/bin/ctr --namespace k8s.io images pull --local --hosts-dir /etc/containerd/certs.d "$1" ;;
'completion bash') ;;
*) echo "nerdctl of the lab: $*" >&2; exit 64 ;;
esac
"""


def of_images(name):
    """The programs of an image of the lab, by their names."""
    found = {}
    with tarfile.open(os.path.join(artifacts, "images/control-plane.tar")) as images:
        held = {os.path.normpath(each.name): each for each in images}
        for image in json.load(images.extractfile(held["manifest.json"])):
            if name not in image["RepoTags"][0]:
                continue
            for layer in image["Layers"]:
                with tarfile.open(fileobj=images.extractfile(held[layer])) as files:
                    found.update(
                        {os.path.basename(each.name): files.extractfile(each).read() for each in files if each.isfile()}
                    )
    return found


def archive(programs, folder=""):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as files:
        for name, content in programs.items():
            entry = tarfile.TarInfo(os.path.join(folder, name))
            entry.size, entry.mode = len(content), 0o755
            files.addfile(entry, io.BytesIO(content))
    # The same bytes each time, so that a definition stays true.
    return gzip.compress(packed.getvalue(), 1, mtime=0)


def read(path):
    with open(os.path.join(artifacts, path), "rb") as file:
        return file.read()


def put(path, content):
    where = os.path.join(out, path)
    os.makedirs(os.path.dirname(where), exist_ok=True)
    with open(where, "wb") as file:
        file.write(content)
    return "sha256:" + hashlib.sha256(content).hexdigest()


def files():
    sums = {
        "%s_binary_checksum" % name: put(
            "dl.k8s.io/release/v%s/bin/linux/amd64/%s" % (kubernetes, name), read("binaries/" + name)
        )
        for name in ("kubeadm", "kubelet", "kubectl")
    }
    named = "etcd-v%s-linux-amd64" % etcd
    archives = {
        "etcd_binary_checksum": ("etcd-io/etcd", etcd, named + ".tar.gz", archive(of_images("/etcd:"), named)),
        "containerd_archive_checksum": (
            "containerd/containerd",
            containerd,
            "containerd-%s-linux-amd64.tar.gz" % containerd,
            read("archives/containerd.tar.gz"),
        ),
        "cni_binary_checksum": (
            "containernetworking/plugins",
            versions["cni"],
            "cni-plugins-linux-amd64-v%s.tgz" % versions["cni"],
            read("archives/cni-plugins.tgz"),
        ),
        "runc_binary_checksum": ("opencontainers/runc", versions["runc"], "runc.amd64", read("binaries/runc")),
        "crictl_binary_checksum": (
            "kubernetes-sigs/cri-tools",
            versions["crictl"],
            "crictl-v%s-linux-amd64.tar.gz" % versions["crictl"],
            archive({"crictl": read("binaries/crictl")}),
        ),
        "nerdctl_archive_checksum": (
            "containerd/nerdctl",
            versions["nerdctl"],
            "nerdctl-%s-linux-amd64.tar.gz" % versions["nerdctl"],
            archive({"nerdctl": NERDCTL.encode()}),
        ),
    }
    return {**sums, **{name: put(RELEASES % which[:3], which[3]) for name, which in archives.items()}}


def images():
    """Below the path alone: registry.k8s.io/pause is <registry>/pause."""
    for part in ("control-plane", "node"):
        with open(os.path.join(artifacts, "images/%s.list" % part)) as lines:
            for reference in lines.read().split():
                path = reference.split("/", 1)[1].replace("flannel-io/", "flannel/")
                source = "docker-archive:%s/images/%s.tar:%s" % (artifacts, part, reference)
                copy = [
                    "skopeo",
                    "--insecure-policy",
                    "copy",
                    "--quiet",
                    "--dest-tls-verify=false",
                    source,
                    "docker://%s/%s" % (registry, path),
                ]
                subprocess.run(copy, check=True, stdout=sys.stderr)


images()
print(json.dumps(files()))
