"""What modules ask of the host below them."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import socket
from subprocess import DEVNULL, PIPE, TimeoutExpired, run


def read(path):
    """The text of a file; none where there is no such file."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError:
        return ""


def first_match(pattern, text):
    """The first group of what matches in a text; none where nothing does."""
    match = re.search(pattern, text, re.MULTILINE)
    return match.group(1) if match else ""


def listens(address, port):
    """Whether somebody takes connections there."""
    with contextlib.suppress(OSError), socket.create_connection((address, port), timeout=5):
        return True
    return False


def ended(words, **more):
    """A program that came to its end; none where it is not there, or not in time."""
    try:
        return run(words, stdout=PIPE, stderr=DEVNULL, stdin=DEVNULL, check=False, **more)
    except (OSError, TimeoutExpired):
        return None


def output(*words, **more):
    """What a program prints; none where it fails, or is not there."""
    done = ended(words, **more)
    return done.stdout.decode() if done and done.returncode == 0 else None


def said(*words):
    """What a program prints, whatever it ends with: systemctl says with its status what it prints as well."""
    done = ended(words)
    return done.stdout.decode().strip() if done else ""


def program_of(service):
    """The program that a service runs, whatever lies on the disk by now; none where it does not run."""
    process = said("systemctl", "show", "--property", "MainPID", "--value", service)
    return "/proc/%s/exe" % process if process not in ("", "0") else ""


def is_unread(service, path):
    """A run that is interrupted between writing and reloading leaves a service with what it had before."""
    stamp = said("systemctl", "show", "--timestamp=us", "--property", "StateChangeTimestamp", "--value", service)
    since = said("date", "--date", stamp, "+%s.%N") if stamp else ""
    return bool(since) and os.path.exists(path) and os.stat(path).st_ctime > float(since)


def digest(path):
    """The SHA-256 of a file, "-" where it cannot be read."""
    seen = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            for part in iter(lambda: file.read(1 << 20), b""):
                seen.update(part)
    except OSError:
        return "-"
    return seen.hexdigest()


def is_plain(path, mode=0o644):
    """Whether a file is root's and has this mode."""
    state = os.stat(path)
    return (state.st_uid, state.st_gid, state.st_mode & 0o7777) == (0, 0, mode)


def differing(folder, sums):
    """Of these files, given by their SHA-256: those that are not so, or not root's with the mode 0644."""
    paths = {os.path.join(folder, path): wanted for path, wanted in sums.items()}
    return [path for path, wanted in paths.items() if digest(path) != wanted or not is_plain(path)]


def make_folders(path, mode):
    """Makes a folder, and those that lack on the way to it."""
    if not path or os.path.isdir(path):
        return
    make_folders(os.path.dirname(path), mode)
    os.mkdir(path)
    os.chmod(path, mode)


def write(path, text, mode=0o600):
    """Replaces a file at once, so that whoever reads it sees all of the old one or all of the new one."""
    # The kubelet reads every file in the folder of the manifests, but for those that begin with a dot.
    new = os.path.join(os.path.dirname(path), ".%s.playsmith" % os.path.basename(path))
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.chmod(new, mode)
    os.rename(new, path)


def forget(*paths):
    for path in paths:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
