"""Removes what is older than is wanted: runs, bundles that nothing names any more, and what killed processes left."""
import contextlib
import os
import re
import time

from playsmith.execution import copied, scratch
from playsmith.fault import Fault, is_full, writing
from playsmith.files import disk
from playsmith.files.bundle import DAY, remove
from playsmith.guards import lock
from playsmith.guards.process import identity
from playsmith.history import record, stamp
from playsmith.history.life import JOURNAL, LEDGER, path, text_of
from playsmith.places import CLUSTER, DIGEST, RUN, names
from playsmith.schedule import jobs

REMOVED = ".removed"
KINDS = ("runs", "logs", "leftovers", "bundles")
# Of a folder in memory; in other folders for temporary files others may have names like the older ones.
SCRATCH, OLDER_SCRATCH = re.compile(r"playsmith-[0-9a-f]{16}"), re.compile(r"playsmith-[a-z0-9_]{8}")


def collect(places, request):
    """Under the lock of the cluster, so that nothing begins meanwhile. With `check` nothing is removed, and nobody kept waiting."""
    if request["check"]:
        return told(old(places, request))
    cluster = request["cluster"]
    holder = {"who": request["who"], "since": record.now(), "what": "gc", "run": "", "token": "", "process": identity(os.getpid())}
    gone = take(places, request, holder)
    try:
        rest = old(places, request)
        for each in paths_of(rest):
            away(each)
        return told({kind: {**gone[kind], **rest[kind]} for kind in rest})
    finally:
        lock.release(places, cluster, "")
        lock.keep_reserve(places)


def take(places, request, holder):
    """The lock, and what went away for it: on a disk that has no room for one, what is old goes before, one by one."""
    gone = {kind: {} for kind in KINDS}
    fault = refused(places, request, holder)
    if fault is None:
        return gone
    require_free(places, request["cluster"])
    for kind, sizes in old(places, request).items():
        for each in sizes:
            away(each)
            gone[kind][each] = sizes[each]
            fault = refused(places, request, holder)
            if fault is None:
                return gone
    raise fault


def refused(places, request, holder):
    """None when the lock was taken; why not, when the disk is full."""
    try:
        lock.take(places, request["cluster"], holder, for_room=True)
    except Fault as fault:
        if not is_full(fault):
            raise
        return fault
    return None


def require_free(places, cluster):
    """On a full disk whoever holds the lock is not found by taking it."""
    found = lock.read(places, cluster)
    if found and found["alive"] is not False:
        raise lock.held(cluster, found)


def told(found):
    brief = {kind: [os.path.basename(each) for each in found[kind]] for kind in ("runs", "bundles")}
    paths = {kind: list(found[kind]) for kind in ("logs", "leftovers")}
    return dict(paths, **brief, bytes=sum(size for sizes in found.values() for size in sizes.values()))


def paths_of(found):
    return [each for sizes in found.values() for each in sizes]


def old(places, request):
    """Paths with their sizes, of each kind; what nobody who begins a run needs comes first."""
    cluster = request["cluster"]
    named = "".join(text_of(path(places, cluster, name)) for name in (LEDGER, JOURNAL)) + jobs.digest_of(places, cluster)
    runs = old_runs(places, request, named)
    kept = [name for name in places.run_names(cluster) if name not in runs]
    named += "".join(text_of(os.path.join(places.run(cluster, name), "record.json")) for name in kept)
    found = {"runs": [os.path.join(places.runs(cluster), name) for name in runs]}
    found["logs"] = old_logs(places, request)
    found["leftovers"] = leftovers(places, cluster)
    found["bundles"] = [os.path.join(places.bundles(cluster), name) for name in old_bundles(places.bundles(cluster), named)]
    return {kind: {each: size_of(each) for each in found[kind]} for kind in KINDS}


def old_runs(places, request, named):
    """Neither of the latest, nor young, nor running, nor named by what is applied."""
    cluster = request["cluster"]
    known = {name: record.look(places.run(cluster, name)) for name in places.run_names(cluster)}
    latest = [name for name, found in known.items() if found][-request["runs"]:]
    spared = set(latest) | set(RUN.findall(named)) | {record.begins(places, cluster)}
    return [name for name, found in known.items() if name not in spared and is_old(places.run(cluster, name), found, request["days"])]


def is_old(folder, found, days):
    if found is None:
        return quiet(folder)
    return record.status_of(found) != "running" and is_past(os.path.basename(folder), days)


def old_bundles(folder, named):
    """One that was just pushed is about to be run."""
    return [name for name in names(folder) if DIGEST.fullmatch(name) and name not in named and quiet(os.path.join(folder, name))]


def old_logs(places, request):
    """Of kubespray, one a call: as long as runs are kept."""
    found = []
    for where, _, inside in os.walk(places.kept(request["cluster"])):
        if os.path.basename(where) == "logs":
            own = sorted(name for name in inside if stamp.second(name) and name.endswith(".log"))
            found += [os.path.join(where, name) for name in own[:-request["runs"]] if is_past(name, request["days"])]
    return found


def is_past(name, days):
    return stamp.second(name) < time.time() - days * DAY


def leftovers(places, cluster):
    """What only a process that was killed leaves."""
    runs = [places.run(cluster, name) for name in places.run_names(cluster)]
    found = hidden(places.bundles(cluster), ".") + hidden(places.runs(cluster), ".") + hidden(places.locks(), ".%s." % cluster)
    for folder in runs + [places.kept(cluster), places.lock(cluster)]:
        found += [os.path.join(folder, name) for name in names(folder) if name.endswith(".partial")]
    return [each for each in found if each.endswith(REMOVED) or quiet(each)] + forgotten_scratch(places)


def hidden(folder, prefix):
    return [os.path.join(folder, name) for name in names(folder) if name.startswith(prefix)]


def quiet(place):
    """Nothing was made or removed there for a day."""
    try:
        return os.lstat(place).st_mtime < time.time() - DAY
    except OSError:
        return False


def forgotten_scratch(places):
    found = [os.path.join(parent, name) for parent in scratch.parents() for name in names(parent) if is_scratch(parent, name)]
    own = [each for each in found if quiet(each) and is_own(each)]
    used = environments() + b"".join(map(os.fsencode, of_runs(places))) if own else b""
    return [each for each in own if os.fsencode(each) not in used]


def is_own(place):
    try:
        return os.lstat(place).st_uid == os.getuid()
    except OSError:
        return False


def is_scratch(parent, name):
    return bool(SCRATCH.fullmatch(name) or (parent == "/dev/shm" and OLDER_SCRATCH.fullmatch(name)))


def of_runs(places):
    """Folders of runs that go on, of whatever cluster: nobody but root reads the environment of Ansible itself."""
    for cluster in filter(CLUSTER.fullmatch, names(places.locks())):
        run = record.begins(places, cluster)
        if run and RUN.fullmatch(run):
            yield scratch.path_of(places.run(cluster, run))


def environments():
    """Ansible knows the folder of its run by its environment."""
    found = b""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open("/proc/%s/environ" % pid, "rb") as file:
            found += file.read()
    return found


def size_of(place):
    files = [os.path.join(where, name) for where, _, inside in os.walk(place) for name in inside] or [place]
    total = 0
    for each in files:
        with contextlib.suppress(OSError):
            total += os.lstat(each).st_size
    return total


def away(place):
    """Out of the way in one step: nobody finds the half of a run or of a bundle."""
    hide = place if place.endswith(REMOVED) or not os.path.isdir(place) else hidden_name(place)
    # What no cluster owns, another cluster's gc may take away meanwhile.
    with writing(place), contextlib.suppress(FileNotFoundError):
        if hide != place:
            disk.rename(place, hide)
        copied.loosen(hide)
        remove(hide)


def hidden_name(place):
    folder, name = os.path.split(place)
    return os.path.join(folder, ".%s%s" % (name.lstrip("."), REMOVED))
