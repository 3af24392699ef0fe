"""Kills one process of the runs of a cluster, chosen at random, and says which.

python3 kill-one.py SEED CLUSTER [DIRECTORY]: below the run's supervisor and its keeper where the directory lies here, and what carries
the run's number on a host. Nothing to kill is no mistake.
"""
import contextlib
import json
import os
import random
import signal
import sys


def read(pid, name):
    with contextlib.suppress(OSError), open("/proc/%d/%s" % (pid, name), "rb") as file:
        return file.read()
    return b""


def main():
    seed, cluster = sys.argv[1:3]
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    parents = {pid: int(stat.rpartition(b")")[2].split()[1]) for pid in pids for stat in [read(pid, "stat")] if stat}
    mark = ("PLAYSMITH_FENCE=%s:" % cluster).encode()
    found = {pid for pid in pids if mark in read(pid, "environ") or mark in read(pid, "cmdline")}
    roots = supervisors(sys.argv[3], cluster) if len(sys.argv) > 3 else set()
    found |= roots | {pid for pid in pids if roots & set(above(pid, parents))}
    found -= set(above(os.getpid(), parents)) | {os.getpid()}
    if found:
        victim = random.Random(seed).choice(sorted(found))
        words = read(victim, "cmdline").replace(b"\0", b" ").decode(errors="replace")
        with contextlib.suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)
            print(words.split("-c")[0][:60])


def supervisors(directory, cluster):
    with contextlib.suppress(OSError, ValueError, KeyError):
        with open(os.path.join(os.path.expanduser(directory), "locks", cluster, "holder.json"), encoding="utf-8") as file:
            holder = json.load(file)
        return {holder["process"]["pid"], holder["process"]["keeper"]["pid"]}
    return set()


def above(pid, parents):
    while pid in parents:
        pid = parents[pid]
        yield pid


main()
