"""Copies of snapshots in a folder of an SFTP server, by OpenSSH's own client."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile

from ansible_collections.playsmith.host.plugins.module_utils.host import digest
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure

# A name of ours for the host: its key is known by that, whatever its address and port.
ALIAS = "playsmith-copy"
SECONDS = 6 * 3600
ENVIRONMENT = {**os.environ, "LC_ALL": "C"}
LISTED = re.compile(r"-.* (\d+) +\w+ +\d+ +[\d:]+ (\S+)")
UNFINISHED = re.compile(r"\.\d{8}T\d{6}Z\.[a-z.]+(?:\.sha256)?\.part")


class Sftp:
    """`given` are the suboptions of the module, `folder` what lies below its directory, `scratch` a local folder."""

    def __init__(self, given, folder, scratch):
        self.given, self.scratch = given, scratch
        self.folder = os.path.join(given["directory"], folder)

    def __str__(self):
        return "%s@%s:%s" % (self.given["user"], self.given["host"], self.folder)

    def list(self):
        """Names to sizes. The folder is made where it is not there."""
        levels = [self.folder[:at] for at in range(1, len(self.folder)) if self.folder[at] == "/"]
        lines = self.batch(
            *("-mkdir " + quoted(each) for each in [*levels, self.folder]), "ls -la " + quoted(self.folder)
        )
        found = [match for line in lines if (match := LISTED.fullmatch(line))]
        sizes = {os.path.basename(match.group(2)): int(match.group(1)) for match in found}
        left = [name for name in sizes if UNFINISHED.fullmatch(name)]
        if left:
            # Of a run that was ended in the middle.
            self.batch(*("-rm " + self.path(name) for name in left))
        return {name: size for name, size in sizes.items() if name not in left}

    def put(self, source, name):
        """Under another name until it was read back as what was sent: SFTP itself has no checksums."""
        part, back = self.path(".%s.part" % name), os.path.join(self.scratch, name)
        self.batch("put %s %s" % (quoted(source), part), "get %s %s" % (part, quoted(back)))
        try:
            if digest(back) != digest(source):
                raise Failure("what it gives back of %s is not what it was sent" % name)
        finally:
            os.unlink(back)
        self.batch("rename %s %s" % (part, self.path(name)))

    def get(self, name, target):
        self.batch("get %s %s" % (self.path(name), quoted(target)))

    def remove(self, names):
        self.batch(*("rm " + self.path(name) for name in names))

    def path(self, name):
        return quoted(os.path.join(self.folder, name))

    def batch(self, *commands):
        """What it prints; the first command that fails, but for those after a hyphen, is a failure."""
        with tempfile.NamedTemporaryFile("w", prefix="known-hosts-", dir=self.scratch) as known:
            known.write("%s %s\n" % (ALIAS, self.given["host_key"]))
            known.flush()
            words = ["sftp", "-b", "-", "-F", "none", *self.options(known.name), ALIAS]
            text = "".join(command + "\n" for command in commands).encode()
            try:
                done = subprocess.run(
                    words, input=text, capture_output=True, env=ENVIRONMENT, timeout=SECONDS, check=False
                )
            except (OSError, subprocess.TimeoutExpired) as error:
                raise Failure("sftp: %s" % error) from error
        if done.returncode != 0:
            raise Failure(reason(done.stderr.decode(errors="replace")) or "sftp ended with %d" % done.returncode)
        return [line.strip() for line in done.stdout.decode(errors="replace").splitlines()]

    def options(self, known):
        given = {
            "LogLevel": "ERROR",
            "HostName": self.given["host"],
            "Port": self.given["port"],
            "User": self.given["user"],
            "HostKeyAlias": ALIAS,
            "UserKnownHostsFile": known,
            "GlobalKnownHostsFile": "/dev/null",
            "StrictHostKeyChecking": "yes",
            "UpdateHostKeys": "no",
            "IdentityFile": os.path.expanduser(self.given["private_key"]),
            "IdentitiesOnly": "yes",
            "IdentityAgent": "none",
            "PreferredAuthentications": "publickey",
            "ConnectTimeout": 20,
            "ServerAliveInterval": 15,
            "ServerAliveCountMax": 4,
        }
        return [word for key, value in given.items() for word in ("-o", "%s=%s" % (key, value))]


def reason(text):
    """The last line that says one: that the connection was closed is what came of it."""
    lines = [line.strip() for line in text.splitlines()]
    said = [line for line in lines if line and not line.lower().startswith("connection closed")]
    return "".join(each for each in (said or lines)[-1:] if each.isprintable())


def quoted(path):
    """As a word of sftp: a backslash takes their meaning from others, from those of patterns too."""
    return '"%s"' % re.sub(r'(["\\*?\[\]])', r"\\\1", path)
