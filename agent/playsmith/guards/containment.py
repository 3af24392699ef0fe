"""Nothing of a run goes on when it is over: its processes have one ancestor that none of them can leave, and one mark in their environment."""
import contextlib
import ctypes
import os
import signal
import time

from playsmith.guards import process
from playsmith.guards.process import descendants, identity, is_of_now, names_of, send, started

MARK = "PLAYSMITH_RUN"
# How long a process has for its own end, as ssh has for what it shares with others.
GRACE = 0.3
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 1, 4, 36


def keep_out():
    """Other processes of our user read neither this one's memory nor its open files. What it starts is readable again, but for forks."""
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def adopt():
    """Whoever loses its parents below this process becomes its child, and not that of the first process of the machine."""
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def keep(work, after, pipe):
    """Does the work in a child, and outlives it until nothing is left of it, since the child may be killed.
    Told to end, the child is. `pipe` is the child's alone."""
    adopt()
    keeper = os.getpid()
    child = os.fork()
    if child == 0:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        adopt()
        if os.getppid() == keeper:
            work(identity(keeper))
        os._exit(0)
    os.close(pipe)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: send(child, signal.SIGTERM))
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    os.waitpid(child, 0)
    end_below()
    after()
    end_below()


def end_below():
    """Ends all processes below this one and waits for them. A scan of /proc may miss one that is just losing its parent;
    that there is no child left is the kernel's word."""
    began = time.monotonic()
    while has_children():
        number = signal.SIGTERM if time.monotonic() < began + GRACE else signal.SIGKILL
        for each in descendants(os.getpid()):
            send(each, number)
        time.sleep(0.02)


def has_children():
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass
        return True
    return False


def marked(mark):
    """Processes that were started with that mark, wherever they are now, and those below them; as far as this user may look."""
    found = [pid for pid in numbers() if mark and has_mark(pid, mark) and started(pid) is not None]
    return sorted({each for pid in found for each in [pid] + descendants(pid)})


def numbers():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def has_mark(pid, mark):
    """Ansible's own processes, whose environment nobody may look at, have it among their arguments, where everybody reads it: those of
    others that have it too, there or in the environment that root may look at, are none of a run."""
    is_shown = ("%s=%s" % (MARK, mark)).encode() in words_of(pid, "environ") or mark.encode() in words_of(pid, "cmdline")
    return is_shown and process.owner(pid) == os.getuid()


def words_of(pid, name):
    try:
        with open("/proc/%d/%s" % (pid, name), "rb") as file:
            return file.read().split(b"\0")
    except OSError:
        return []


def is_alive(who):
    """A run is, while any process of it is; None when that cannot be known from here: it lives, or lived, on another machine."""
    own = process.is_alive(who)
    if own is not False or not who or not is_of_now(who):
        return own
    return bool(of_run(who))


def of_run(who):
    """The processes of a run that still live."""
    own = [each["pid"] for each in (who, who.get("keeper")) if each and process.is_alive(each)]
    below = [pid for each in own for pid in [each] + descendants(each)]
    return sorted(pid for pid in set(below + marked(who.get("mark"))) if started(pid) is not None)


def end(who, seconds):
    """Ends a run whose own processes do not, and says what is left of it."""
    if not who or not is_of_now(who):
        return []
    until = time.monotonic() + seconds
    left = of_run(who)
    while left and time.monotonic() < until:
        for pid in left:
            send(pid, signal.SIGKILL)
        time.sleep(0.05)
        left = of_run(who)
    return names_of(left)
