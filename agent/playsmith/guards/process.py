"""Which process is which, so that a number that was given to another one is not taken for it."""
import os
import signal
import time

from playsmith import machine


def identity(pid):
    return {"machine": machine.number(), "host": machine.name(), "boot": boot(), "pid": pid, "started": started(pid)}


def is_alive(who):
    """None when that cannot be known from here: the process lives, or lived, on another machine."""
    if not who or not isinstance(who, dict):
        return False
    if not machine.is_this(who):
        return None
    return is_of_now(who) and who.get("started") is not None and who["started"] == started(who.get("pid"))


def is_of_now(who):
    return who.get("boot") == boot()


def names_of(pids):
    """For a person: what each of them was started as."""
    return ["%d (%s)" % (pid, name) for pid, name in ((pid, name_of(pid)) for pid in pids) if name]


def name_of(pid):
    try:
        with open("/proc/%d/cmdline" % pid, "rb") as file:
            words = file.read().decode(errors="replace").split("\0")
        # A program that was given to Python is as good as none for a person.
        words = " ".join(words[words.index("-c") + 2:] if "-c" in words[:4] else words).strip()
        with open("/proc/%d/comm" % pid, encoding="utf-8", errors="replace") as file:
            return words[:60] or file.read().strip()
    except OSError:
        return ""


def boot():
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        return file.read().strip()


def started(pid):
    fields = stat_fields(pid) if isinstance(pid, int) else None
    return None if fields is None or fields[0] in "ZX" else int(fields[19])


def stat_fields(pid):
    """From the third field on: a command's name may hold spaces and brackets."""
    try:
        with open("/proc/%d/stat" % pid, encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return None


def owner(pid):
    """The number of its user: the folder of a process that nobody may look into is root's."""
    try:
        with open("/proc/%d/status" % pid, encoding="utf-8", errors="replace") as file:
            return next((int(line.split()[1]) for line in file if line.startswith("Uid:")), None)
    except OSError:
        return None


def descendants(pid):
    children = {}
    for name in os.listdir("/proc"):
        fields = stat_fields(int(name)) if name.isdigit() else None
        if fields:
            children.setdefault(int(fields[1]), []).append(int(name))
    found = []
    waiting = [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def eldest_child(pid):
    """The one that this process started itself comes before those that it adopted, whose numbers may be lower."""
    children = [each for each in descendants(pid) if (stat_fields(each) or [0, -1])[1] == str(pid)]
    return min(children, key=lambda each: started(each) or float("inf"), default=None)


def send(pid, number):
    """One that is gone, or that belongs to another user, stays as it is: whoever waits for its end sees that."""
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        pass


def end(pid, grace):
    """Asked first, made to after `grace` seconds; true when nothing of it is left."""
    send(pid, signal.SIGTERM)
    until = time.monotonic() + grace
    while started(pid) is not None and time.monotonic() < until:
        time.sleep(0.05)
    if started(pid) is not None:
        for each in [pid] + descendants(pid):
            send(each, signal.SIGKILL)
        time.sleep(0.1)
    return started(pid) is None
