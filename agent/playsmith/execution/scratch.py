"""Where a run keeps what is for nobody's disk."""
import contextlib
import os
import tempfile

from playsmith.fault import server_fault
from playsmith.places import private_folder, read_json, write_json

SCRATCH = os.path.join("env", "scratch.json")
PREFIX = "playsmith-"


def parents():
    return ("/dev/shm", tempfile.gettempdir())


def make(folder):
    """In memory where there is such a place: ansible-runner puts down events there before anybody can scrub them, Ansible filled-in templates.
    Its name is known before it is there, so that whoever finds the run killed takes it away."""
    private_folder(os.path.join(folder, "env"))
    for parent in parents():
        path = os.path.join(parent, PREFIX + os.urandom(8).hex())
        write_json(os.path.join(folder, SCRATCH), {"scratch": path})
        with contextlib.suppress(OSError):
            os.mkdir(path, 0o700)
            return path
    raise server_fault("The Ansible server has no folder for temporary files", ", ".join(parents()), "Make room there")


def path_of(folder):
    """Of a run that was killed before it had a record."""
    found = read_json(os.path.join(folder, SCRATCH))
    path = str(found.get("scratch", "")) if isinstance(found, dict) else ""
    return path if os.path.dirname(path) in parents() and os.path.basename(path).startswith(PREFIX) else ""
