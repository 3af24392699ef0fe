"""Reverts the fault of a drill on this host.

It imports nothing of the collection: its text is also the program that the host runs when nobody else reverted the fault in
time. A reboot reverts it as well: what is stopped starts with the host, and the network of a test volume is gone.
"""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import time

FOLDER = "/run/playsmith-drill"
UNIT = "playsmith-drill-undo"
# Through which the way of a test volume leads.
NETWORK = "playsmith-drill"
NAMESPACE = "/run/netns/" + NETWORK
SERVICES = {"haproxy": "haproxy", "keepalived": "keepalived", "control_plane": "kubelet", "worker": "kubelet"}
PATIENCE = 120


def works(*words):
    done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return done.returncode == 0


def uptime():
    """Seconds since the host booted: nobody sets that clock."""
    with open("/proc/uptime", encoding="ascii") as file:
        return int(float(file.read().split()[0]))


def path(name):
    return os.path.join(FOLDER, name)


def read(name):
    try:
        with open(path(name), encoding="utf-8") as file:
            return file.read().strip()
    except FileNotFoundError:
        return ""


def write(name, text):
    with open(path(name), "w", encoding="utf-8") as file:
        file.write("%s\n" % text)


def restore(fault):
    if fault == "storage":
        # With its namespace the volume is gone, and nothing waits.
        return not os.path.exists(NAMESPACE) or works("ip", "-n", NETWORK, "link", "set", "lo", "up")
    works("systemctl", "reset-failed", SERVICES[fault])
    return works("systemctl", "start", SERVICES[fault])


def undo(fault, by):
    end = time.monotonic() + PATIENCE
    while not restore(fault):
        if time.monotonic() > end:
            raise OSError("%s cannot be reverted, see journalctl" % fault)
        time.sleep(1)
    write("undone", json.dumps({"held": uptime() - int(read("began")), "by": by}))
    os.remove(path("fault"))
    # Nobody is there any more who would end the writer, which takes its file and its mount with it.
    if by == "host" and fault == "storage":
        works("systemctl", "stop", "--no-block", "playsmith-drill-volume")


def revert(by):
    """{"held": seconds, "by": "run" or "host"}; where there is no fault, that of the last one."""
    os.makedirs(FOLDER, mode=0o700, exist_ok=True)
    with open(path("lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        fault = read("fault")
        if fault:
            undo(fault, by)
    # The host stops only what waits, not itself at work.
    if by != "host":
        works("systemctl", "stop", UNIT + ".timer")
    return json.loads(read("undone") or '{"held": 0, "by": "run"}')


if __name__ == "__main__":
    try:
        revert("host")
    except OSError as error:
        sys.exit(str(error))
