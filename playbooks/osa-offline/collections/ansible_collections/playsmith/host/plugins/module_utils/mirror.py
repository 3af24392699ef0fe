"""Files of a mirror, which a web server offers: each is there whole, or as it was before."""

from __future__ import annotations

import contextlib
import fcntl
import glob
import os
import shutil
import tempfile

from ansible_collections.playsmith.host.plugins.module_utils.host import digest


@contextlib.contextmanager
def work_in(directory, dry):
    """A folder to work in, on the disk of the mirror, so that a file is moved there at once; for a look, which changes nothing
    and waits for nobody, it is elsewhere."""
    if dry:
        with tempfile.TemporaryDirectory(prefix="playsmith-") as folder:
            yield folder
        return
    # A web server reads all of it, whatever root keeps for itself.
    os.umask(0o022)
    os.makedirs(directory, mode=0o755, exist_ok=True)
    with open(os.path.join(directory, ".lock"), "w", encoding="utf-8") as lock:
        # One that was cut off from its connection still works; it goes first.
        fcntl.flock(lock, fcntl.LOCK_EX)
        for left in glob.glob(os.path.join(glob.escape(directory), ".work-*")):
            shutil.rmtree(left)
        with tempfile.TemporaryDirectory(prefix=".work-", dir=directory) as folder:
            yield folder


def place(source, path):
    """Makes a file that lies on the same disk one of the mirror."""
    os.makedirs(os.path.dirname(path), mode=0o755, exist_ok=True)
    os.chmod(source, 0o644)
    os.replace(source, path)


def write(path, data):
    """Writes a file; one that could not be written is replaced by the next run."""
    os.makedirs(os.path.dirname(path), mode=0o755, exist_ok=True)
    partial = os.path.join(os.path.dirname(path), ".%s.new" % os.path.basename(path))
    with open(partial, "wb") as file:
        file.write(data)
    place(partial, path)


def keep(path, text, dry):
    """Writes a text unless it is there like that; whether it was not."""
    if text_at(path) == text:
        return False
    if not dry:
        write(path, text.encode())
    return True


def text_at(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def has(path, sha256):
    return os.path.exists(path) and digest(path) == sha256


def git_of(url):
    """git that asks a publisher, though the configuration of this host may name the mirror in its place."""
    return ["git", "-c", f"url.{url}.insteadOf={url}"]


def last_words(text):
    """What a program said last, in one line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return " ".join(lines[-2:])[:1000] or "it said nothing"
