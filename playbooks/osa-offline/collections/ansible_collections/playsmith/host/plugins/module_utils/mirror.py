"""Files of a mirror, which a web server offers: each is there whole, or as it was before."""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile

from ansible_collections.playsmith.host.plugins.module_utils.host import digest


@contextlib.contextmanager
def alone(directory, dry):
    """One that was cut off from its connection still works; it goes first. A look changes nothing, and waits for nobody."""
    if dry:
        yield
        return
    # A web server reads all of it, whatever root keeps for itself.
    before = os.umask(0o022)
    os.makedirs(directory, mode=0o755, exist_ok=True)
    with open(os.path.join(directory, ".lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    os.umask(before)


def place(source, path):
    """Makes a file that lies on the same disk one of the mirror."""
    os.makedirs(os.path.dirname(path), mode=0o755, exist_ok=True)
    os.chmod(source, 0o644)
    os.replace(source, path)


def keep(path, text, dry):
    """Writes it unless it is there like that; whether it was not."""
    if text_at(path) == text:
        return False
    if not dry:
        os.makedirs(os.path.dirname(path), mode=0o755, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=os.path.dirname(path), delete=False, encoding="utf-8") as partial:
            partial.write(text)
        place(partial.name, path)
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
