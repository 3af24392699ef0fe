"""Secrets of one run: encrypted in its private folder, their password in memory only, their values struck out of all output."""
import base64
import fcntl
import json
import os
import re
import urllib.parse

from playsmith.places import write_private

SHORTEST = 4
HIDDEN = "[secret]"


def password_file(password):
    """A path that only this process' user can read, as long as this process lives; nothing of it is on a disk."""
    handle = os.memfd_create("playsmith", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.write(handle, password.encode())
    os.fchmod(handle, 0o400)
    fcntl.fcntl(handle, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL)
    return "/proc/%d/fd/%d" % (os.getpid(), handle)


def arguments(folder, secrets):
    if not secrets:
        return []
    file = os.path.join(folder, "secrets.yml")
    write_private(file, secrets["vault"])
    return ["--vault-password-file", password_file(secrets["password"]), "--extra-vars", "@" + file]


class Scrubber:
    """Values shorter than four characters are left: striking them out would strike out half of every text."""

    def __init__(self, values):
        forms = sorted({form for value in values for form in forms_of(value) if len(form) >= SHORTEST}, key=len, reverse=True)
        self.pattern = re.compile("|".join(map(re.escape, forms))) if forms else None

    def scrub(self, value):
        if self.pattern is None:
            return value
        if isinstance(value, str):
            return self.pattern.sub(HIDDEN, value)
        if isinstance(value, (int, float)):
            return HIDDEN if self.pattern.fullmatch(str(value)) else value
        if isinstance(value, dict):
            return {self.scrub(key): self.scrub(each) for key, each in value.items()}
        return [self.scrub(each) for each in value] if isinstance(value, list) else value


def forms_of(value):
    """As it is, line by line, and as JSON, Python, base64 and a URL write it."""
    yield value
    for line in value.splitlines():
        if len(line) >= 2 * SHORTEST:
            yield line
    yield json.dumps(value)[1:-1]
    yield json.dumps(value, ensure_ascii=False)[1:-1]
    yield json.dumps(json.dumps(value, ensure_ascii=False)[1:-1], ensure_ascii=False)[1:-1]
    yield repr(value)[1:-1]
    yield base64.b64encode(value.encode()).decode()
    yield urllib.parse.quote(value, safe="")
