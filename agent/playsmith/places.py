"""Where everything lies below the one directory on the Ansible server. Names are checked: they come from a request."""
import json
import os
import re
import stat

from playsmith.fault import Fault, server_fault, writing
from playsmith.files import disk

CLUSTER = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
DIGEST = re.compile(r"[0-9a-f]{64}")
RUN = re.compile(r"[0-9]{8}T[0-9]{6}Z-[A-Za-z0-9_.-]{1,80}-[0-9a-f]{4}")


class Places:
    def __init__(self, directory):
        self.root = os.path.abspath(os.path.expanduser(directory))
        for folder in ("", "bundles", "runs", "kept", "locks", "schedules", "venv", "venv/bin"):
            require_own(os.path.join(self.root, folder).rstrip("/"))
        require_kept_out(self.root)

    def bundles(self, cluster):
        return os.path.join(self.root, "bundles", checked(CLUSTER, cluster, "cluster"))

    def bundle(self, cluster, digest):
        return os.path.join(self.bundles(cluster), checked(DIGEST, digest, "digest"))

    def all_runs(self):
        return os.path.join(self.root, "runs")

    def runs(self, cluster):
        return os.path.join(self.all_runs(), checked(CLUSTER, cluster, "cluster"))

    def run(self, cluster, run):
        return os.path.join(self.runs(cluster), checked(RUN, run, "run"))

    def run_names(self, cluster):
        """The oldest first; what somebody else put there is none."""
        return [name for name in names(self.runs(cluster)) if RUN.fullmatch(name)]

    def kept(self, cluster):
        return os.path.join(self.root, "kept", checked(CLUSTER, cluster, "cluster"))

    def schedule(self, cluster):
        return os.path.join(self.root, "schedules", checked(CLUSTER, cluster, "cluster"))

    def locks(self):
        return os.path.join(self.root, "locks")

    def lock(self, cluster):
        return os.path.join(self.locks(), checked(CLUSTER, cluster, "cluster"))


def checked(pattern, text, what):
    if not isinstance(text, str) or not pattern.fullmatch(text):
        raise Fault("run", "%r is no name of a %s" % (text, what), next="Look at `npx task runs`")
    return text


def require_own(folder):
    """Whoever else may write there could change a bundle after it was verified."""
    try:
        found = os.stat(folder)
    except OSError:
        return
    if found.st_uid in (0, os.getuid()) and not found.st_mode & 0o022:
        return
    seen = "owner %d, mode %04o; we are %d" % (found.st_uid, found.st_mode & 0o7777, os.getuid())
    step = "Give it to our user alone (chown, chmod 0700), or choose another ansibleServer.directory"
    raise server_fault("Others than our user may write %s on the Ansible server" % folder, seen, step)


def require_kept_out(folder):
    """Whoever may write a folder above ours can put another one in its place; in one like /tmp only its owner can."""
    for path in sorted(set(above(folder)) | set(above(os.path.realpath(folder)))):
        try:
            found = os.stat(path)
        except OSError:
            continue
        if found.st_uid in (0, os.getuid()) and (not found.st_mode & 0o022 or found.st_mode & stat.S_ISVTX):
            continue
        seen = "it is above %s; owner %d, mode %04o; we are %d" % (folder, found.st_uid, found.st_mode & 0o7777, os.getuid())
        step = "Choose an ansibleServer.directory below folders of root and of our user alone, or take the others' right to write there"
        raise server_fault("Others than our user may write %s on the Ansible server" % path, seen, step)


def above(folder):
    while os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
        yield folder


def private_folder(path):
    """Made with all its parents, each of them for this user alone."""
    with writing(path):
        missing = []
        while not os.path.isdir(path):
            missing.append(path)
            path = os.path.dirname(path)
        for folder in reversed(missing):
            try:
                disk.make(folder)
            except FileExistsError:
                if not os.path.isdir(folder):
                    raise


def write_private(path, text):
    """A reader sees the old text or the new one, never a part."""
    with writing(path):
        disk.replace(path, text.encode())


def write_json(path, value):
    """What hosts print may be no text: bytes that are none came as halves of characters, which JSON alone can write."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    write_private(path, text.encode("utf-8", "backslashreplace").decode() + "\n")


def read_json(path):
    """None when there is no such file, or when it is not one of ours."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def names(folder):
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
