"""One lock per cluster with a name on it, which holds its machines as well. Stale ones are explained, and broken only when somebody asks."""
import contextlib
import errno
import fcntl
import os
import shutil
import tempfile
import time

from playsmith.fault import Fault, is_full, server_fault, writing
from playsmith.files import disk
from playsmith.guards import containment
from playsmith.guards.containment import is_alive
from playsmith.guards.held import held
from playsmith.history import record
from playsmith.places import CLUSTER, RUN, names, private_folder, read_json, write_json

# How long a run that lost its lock by force has to end.
END_SECONDS = 10
# `unlock` may hold the turn while it ends a run.
TURN_SECONDS = 30
# How each machine of the cluster is reached, beside the holder's name.
MACHINES = "machines.json"
# Room for the lock of whoever makes room.
RESERVE, RESERVED = ".reserve", 64 * 1024
# What a disk or a person made of a holder; of a run that may go on.
UNREADABLE = dict.fromkeys(("who", "since", "what", "run"), "(unreadable)")


@contextlib.contextmanager
def alone(places, cluster):
    """Nobody else looks at the lock of a cluster and changes it meanwhile. A file of its own, since NFS gives no such turn on a folder."""
    private_folder(places.locks())
    with writing(places.locks()):
        handle = os.open(places.lock(cluster) + ".turn", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        wait_for(handle)
        yield
    finally:
        os.close(handle)


def wait_for(handle):
    """Whoever looks at locks does so for a moment: one that was stopped in it stops nobody else for ever."""
    until = time.monotonic() + TURN_SECONDS
    while True:
        try:
            return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise server_fault(
                    "Another process on the Ansible server has been looking at the lock of this cluster for %d seconds" % TURN_SECONDS,
                    "", "Find it there with `fuser` on the file locks/<cluster>.turn: it was stopped, or hangs on its disk",
                ) from None
        time.sleep(0.01)


def take(places, cluster, holder, machines=(), instead_of="", for_room=False):
    """A folder that already holds its name is renamed into place: two runs cannot both succeed.
    `instead_of`: the fence of an apply that left its lock behind and is taken up again. `for_room`: by whoever makes room on a disk
    that may have none."""
    with alone(places, cluster):
        found = read(places, cluster)
        if found and found["alive"] is False and ((instead_of and found.get("fence") == instead_of) or is_over(places, cluster, found)):
            remove(places, cluster)
        try:
            place(places, cluster, holder, machines)
        except Fault as fault:
            if not (for_room and is_full(fault) and removed(reserve(places))):
                raise
            place(places, cluster, holder, machines)
        try:
            require_apart(places, cluster, machines)
        except BaseException:
            remove(places, cluster)
            raise
    keep_reserve(places)


def reserve(places):
    return os.path.join(places.locks(), RESERVE)


def keep_reserve(places):
    """A disk that is full already keeps none."""
    path = reserve(places)
    if os.path.exists(path):
        return
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(bytes(RESERVED))
    except OSError:
        removed(path)


def removed(path):
    with contextlib.suppress(OSError):
        os.unlink(path)
        return True
    return False


def require_apart(places, cluster, machines):
    """No other cluster holds any of them. Placed first, looked afterwards:
    of two that begin at one moment neither overlooks the other."""
    wanted = {each["at"]: "%s (%s)" % (each["name"], each["at"]) for each in machines}
    for other in names(places.locks()):
        if other != cluster and CLUSTER.fullmatch(other):
            at = read_json(os.path.join(places.lock(other), MACHINES))
            shared = [wanted[each] for each in at if each in wanted] if isinstance(at, list) else ["perhaps a machine"]
            found = read(places, other) if shared else None
            if found and not (found["alive"] is False and is_over(places, other, found)):
                raise shared_by(cluster, other, shared, found)


def shared_by(cluster, other, shared, holder):
    """Whoever holds the other lock says the rest: how to wait for it, or to end it, with the other definition."""
    listed = ", ".join(shared[:5]) + (" and %d more" % (len(shared) - 5) if len(shared) > 5 else "")
    fault = held(other, holder).failure
    message = "%s cannot run now: %s of it %s of %s too. %s" % (
        cluster, listed, "are machines" if len(shared) > 1 else "is a machine", other, fault["message"],
    )
    return Fault("locked", message, next="%s, with the definition of %s; a machine has one owner" % (fault["next"], other))


def is_over(places, cluster, found):
    """Killed after its end was written, or before its beginning was: nothing of it is left to be explained."""
    if found.get("fence"):
        journal = read_json(os.path.join(places.kept(cluster), "journal.json"))
        journal = journal if isinstance(journal, dict) else {}
        return not found.get("run") and (journal.get("fence") != found["fence"] or journal.get("state") != "open")
    if not found.get("run"):
        return "process" in found
    if not isinstance(found["run"], str) or not RUN.fullmatch(found["run"]):
        return False
    ended = record.stored(places.run(cluster, found["run"]))
    return bool(ended) and ended["ended"] is not None


def place(places, cluster, holder, machines):
    with writing(places.locks()):
        ready = tempfile.mkdtemp(prefix=".%s." % cluster, dir=places.locks())
    try:
        write_json(os.path.join(ready, "holder.json"), holder)
        write_json(os.path.join(ready, MACHINES), [each["at"] for each in machines])
        disk.rename(ready, places.lock(cluster))
    except Fault:
        shutil.rmtree(ready, ignore_errors=True)
        raise
    except OSError as error:
        shutil.rmtree(ready, ignore_errors=True)
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise
        raise held(cluster, read(places, cluster)) from error


def enter(places, cluster, fence, holder):
    """A run of an apply goes in under the lock that this holds, if it holds it still."""
    with alone(places, cluster):
        found = require(places, cluster, fence)
        if found["run"] and found["alive"] is not False:
            raise held(cluster, found)
        rewrite(places, cluster, dict(holder, fence=fence))


def require(places, cluster, fence):
    """Whoever lost the lock, or had it broken, must not go on."""
    found = read(places, cluster)
    if found is not None and found.get("fence") == fence:
        return found
    now = "nobody holds it" if found is None else "%s holds it for %s" % (found.get("who"), found.get("what"))
    message = "The lock of %s is no longer this apply's (%s): nothing more is run" % (cluster, now)
    raise Fault("locked", message, next="See what is left to do with `npx task plan`")


def read(places, cluster):
    """None when nobody holds it; `alive` is None when the holder is on another machine, or cannot be read."""
    # Given back between the two looks, it may be held by another one in the next.
    for _ in range(2):
        if not os.path.isdir(places.lock(cluster)):
            return None
        holder = read_json(os.path.join(places.lock(cluster), "holder.json"))
        if isinstance(holder, dict) and isinstance(holder.get("process"), dict):
            return without_run(places, cluster, dict(holder, alive=is_alive(holder["process"])))
    rest = {key: each for key, each in holder.items() if key != "process"} if isinstance(holder, dict) else {}
    return {**UNREADABLE, **rest, "alive": None}


def without_run(places, cluster, holder):
    """Killed before it wrote its record, a run has done nothing that anybody could look at: its lock is what it was before the run."""
    run = holder.get("run")
    if holder["alive"] is not False or not isinstance(run, str) or not RUN.fullmatch(run):
        return holder
    began = os.path.lexists(os.path.join(places.run(cluster, run), "record.json"))
    return holder if began else dict(holder, run="")


def release(places, cluster, run):
    """Only the run's own lock; that of an apply goes back to the apply."""
    with alone(places, cluster):
        holder = read(places, cluster)
        if holder is None or holder.get("run") != run:
            return
        if holder.get("fence"):
            # On a full disk it goes stale with this run's process, and is taken up as such.
            with contextlib.suppress(Fault):
                rewrite(places, cluster, dict(holder, run="", token="", process=holder["client"]))
        else:
            remove(places, cluster)


def leave(places, cluster, fence):
    """An apply is over."""
    with alone(places, cluster):
        holder = read(places, cluster)
        if holder is not None and holder.get("fence") == fence and not holder["run"]:
            remove(places, cluster)


def rewrite(places, cluster, holder):
    keys = {key: value for key, value in holder.items() if key != "alive"}
    write_json(os.path.join(places.lock(cluster), "holder.json"), keys)


def remove(places, cluster):
    """Out of the way at once, then away; a disk that is full stands in the way of neither."""
    away = os.path.join(places.locks(), ".%s.%s.released" % (cluster, os.urandom(6).hex()))
    with writing(places.locks()):
        disk.rename(places.lock(cluster), away)
    shutil.rmtree(away, ignore_errors=True)


def unlock(places, cluster, force):
    with alone(places, cluster):
        holder = read(places, cluster)
        if holder is None:
            return {"removed": False}
        if holder["alive"] is not False and not force:
            raise held(cluster, holder)
        unstopped = containment.end(holder.get("process"), END_SECONDS) if holder["alive"] and holder.get("run") else []
        remove(places, cluster)
    return {"removed": True, "holder": holder, "unstopped": unstopped}
