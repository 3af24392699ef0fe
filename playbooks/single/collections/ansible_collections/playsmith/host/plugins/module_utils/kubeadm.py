"""What kubeadm makes of its configuration, asked without changing anything, and how its programs are called."""

from __future__ import annotations

import contextlib
import glob
import os
import tempfile

from ansible_collections.playsmith.host.plugins.module_utils.host import first_match, read, write
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import run

# What was there before lies here until all is well.
KEPT = "/var/lib/playsmith/reconfigure/"


def last_lines(text, count=4):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return " | ".join(lines[-count:])[-1500:]


@contextlib.contextmanager
def folder_with(configuration):
    """A folder in memory with the configuration of kubeadm in it, that nobody else reads and that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="playsmith-", dir="/run") as folder:
        write(os.path.join(folder, "given.yaml"), configuration)
        yield folder


def init_phase(configuration, phase, *words, folder=None):
    """Has kubeadm run one phase of "init"; with a folder it only writes there what it would write."""
    dry = ("env", "KUBEADM_INIT_DRYRUN_DIR=" + folder) if folder else ()
    with folder_with(configuration) as own:
        argv = ("kubeadm", "init", "phase", *phase.split(), "--config", os.path.join(own, "given.yaml"), *words)
        return run(*dry, *argv, *(["--dry-run"] if folder else []), seconds=120)


def made(configuration, *phases):
    """Name to text of every file that phases of "kubeadm init" would write."""
    with tempfile.TemporaryDirectory(prefix="playsmith-", dir="/run") as folder:
        for phase in phases:
            init_phase(configuration, phase, folder=folder)
        return {os.path.basename(path): read(path) for path in glob.glob(folder + "/*")}


def version_of(configuration):
    """The version that kubeadm's configuration is for, without its v."""
    return first_match(r'^kubernetesVersion: "?v([^"\s]+)"?$', configuration)


def is_begun(*paths):
    """Whether this host is what those files make of it, and no half of it that an interrupted run left."""
    return all(os.path.exists(path) for path in paths) and not os.path.exists("/var/lib/playsmith/unfinished")
