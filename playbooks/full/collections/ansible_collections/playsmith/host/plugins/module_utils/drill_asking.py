"""What asks in the background while a fault lasts, and what it felt: lines {"asked", "ended", "ok"} of seconds and whether all was well."""

from __future__ import annotations

import json
import os
import shutil
import time

from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import run, works

# Seconds: from ask to ask, and for how long nothing but answers is steady.
INTERVAL, CALM = 0.05, 3.0


def is_calm(found, since, now):
    """For a while, and with about as many answers as there should be, nothing else than answers."""
    latest = [each["ok"] for each in found if each["ended"] >= max(since, now - CALM)]
    return now - since >= CALM and len(latest) >= CALM / INTERVAL / 4 and all(latest)


def summary(found):
    """The time without an answer lasts from the answer before it to the one after it."""
    ordered = sorted(found, key=lambda each: each["ended"])
    last = ordered[0]["asked"] if ordered else 0
    longest, missed = 0, False
    for each in ordered:
        if each["ok"]:
            longest = max(longest, each["ended"] - last if missed else 0)
            last, missed = each["ended"], False
        else:
            missed = True
    if missed:
        longest = max(longest, ordered[-1]["ended"] - last)
    failed = sum(not each["ok"] for each in ordered)
    return {"asked": len(ordered), "failed": failed, "longest": round(longest, 3)}


class Asking:
    """A program that runs as a unit of systemd, whatever becomes of who started it."""

    def __init__(self, unit):
        self.unit, self.folder = unit, "/run/" + unit

    def start(self, source, seconds, *words):
        self.stop()
        works("systemctl", "reset-failed", self.unit + ".service")
        os.makedirs(self.folder, mode=0o711)
        program = os.path.join(self.folder, "program.py")
        with open(program, "w", encoding="utf-8") as file:
            file.write(source)
        how = ("--quiet", "--collect", "--unit=" + self.unit, "--property=RuntimeMaxSec=%d" % seconds)
        run("systemd-run", *how, "python3", program, os.path.join(self.folder, "asked.jsonl"), *words)

    def stop(self):
        """What it felt; nothing of it stays."""
        works("systemctl", "stop", self.unit + ".service")
        felt = summary(self.attempts())
        shutil.rmtree(self.folder, ignore_errors=True)
        return felt

    def attempts(self):
        try:
            with open(os.path.join(self.folder, "asked.jsonl"), encoding="utf-8") as file:
                return [json.loads(line) for line in file if line.endswith("\n")]
        except FileNotFoundError:
            return []

    def calm_within(self, least, most):
        """Whether answers come steadily, after so many seconds at least and at most; where both are one, it is asked then."""
        since = time.monotonic()
        while True:
            now = time.monotonic()
            if now - since >= least and is_calm(self.attempts(), since, now):
                return True
            if now - since >= most:
                return False
            time.sleep(0.2)
