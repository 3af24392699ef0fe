"""The folder that clusters are installed from without any other network: what of it is here, and what just arrived."""
import contextlib
import hashlib
import os
import re

from playsmith.fault import Fault, free_bytes, server_fault, writing

PATH = re.compile(r"[A-Za-z0-9][\w.+~-]*(/[A-Za-z0-9][\w.+~-]*)*")
SUMS = "SHA256SUMS"


def compare(places, request):
    """What is not here, or is something else, and whether there is room for it."""
    folder = folder_of(request)
    missing = [path for path, wanted in request["sums"].items() if digest(place(folder, path)) != wanted]
    missing = sorted(set(missing) | {SUMS}) if missing else []
    with writing(folder):
        for path in missing:
            os.makedirs(os.path.dirname(place(folder, path)), exist_ok=True)
    return {"folder": folder, "missing": missing, "free": free_bytes(folder)}


def take(places, request):
    """Gives a file that arrived its name, once it is what it has to be."""
    target = place(folder_of(request), request["path"])
    partial = target + ".partial"
    seen = digest(partial)
    if seen != request["sha256"]:
        with contextlib.suppress(OSError):
            os.unlink(partial)
        evidence = "sha256 %s, wanted %s" % (seen or "none", request["sha256"])
        raise Fault("bundle", "%s did not arrive whole on the Ansible server" % request["path"], evidence=evidence)
    with writing(target):
        # While it changes, the folder is not what its sums say: they arrive last.
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(folder_of(request), SUMS))
        with open(partial, "rb") as file:
            os.fsync(file.fileno())
        os.rename(partial, target)
    return {}


def folder_of(request):
    folder = os.path.expanduser(request["folder"])
    if not os.path.isabs(folder):
        raise server_fault("%s is no absolute path" % request["folder"], "", "Change offline.artifacts")
    return os.path.normpath(folder)


def place(folder, path):
    if not isinstance(path, str) or not PATH.fullmatch(path):
        raise Fault("bundle", "%r is no path of an artifact" % path, evidence="")
    return os.path.join(folder, path)


def digest(path):
    """None when there is no such file."""
    found = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            while chunk := file.read(1 << 20):
                found.update(chunk)
    except OSError:
        return None
    return found.hexdigest()
