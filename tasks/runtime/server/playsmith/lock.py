"""One lock per cluster with a name on it. Stale ones are explained, and broken only when somebody asks."""
import errno
import os
import shutil
import tempfile

from playsmith.fault import Fault, writing
from playsmith.places import private_folder, read_json, write_json
from playsmith.process import is_alive


def take(places, cluster, holder):
    """A folder that already holds its name is renamed into place: two runs cannot both succeed."""
    private_folder(places.locks())
    with writing(places.locks()):
        ready = tempfile.mkdtemp(prefix=".%s." % cluster, dir=places.locks())
    write_json(os.path.join(ready, "holder.json"), holder)
    try:
        os.rename(ready, places.lock(cluster))
    except OSError as error:
        shutil.rmtree(ready, ignore_errors=True)
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise
        raise held(cluster, read(places, cluster)) from error


def read(places, cluster):
    """None when nobody holds it; `alive` is None when the holder is on another machine."""
    if not os.path.isdir(places.lock(cluster)):
        return None
    holder = read_json(os.path.join(places.lock(cluster), "holder.json")) or {}
    return dict(holder, alive=is_alive(holder.get("process")))


def release(places, cluster, run):
    """Only the run's own lock."""
    holder = read(places, cluster)
    if holder is not None and holder.get("run") == run:
        remove(places, cluster)


def remove(places, cluster):
    """Out of the way at once, then away; a disk that is full stands in the way of neither."""
    away = os.path.join(places.locks(), ".%s.%s.released" % (cluster, os.urandom(6).hex()))
    with writing(places.locks()):
        os.rename(places.lock(cluster), away)
    shutil.rmtree(away, ignore_errors=True)


def unlock(places, cluster, force):
    holder = read(places, cluster)
    if holder is None:
        return {"removed": False}
    if holder["alive"] is not False and not force:
        raise held(cluster, holder)
    remove(places, cluster)
    return {"removed": True, "holder": holder}


def held(cluster, holder):
    if holder is None:
        return Fault("locked", "The lock of %s was released at this moment" % cluster, next="Try again")
    who = "%s since %s, for %s (run %s)" % tuple(holder.get(key, "unknown") for key in ("who", "since", "what", "run"))
    if holder["alive"] is False:
        message = "The lock of %s is stale: %s held it, and its process %s ended without releasing it (a reboot, or a kill)"
        step = "See what it did with `npx task logs %s`, then `npx task unlock`" % holder.get("run", "")
        return Fault("locked", message % (cluster, who, holder.get("process", {}).get("pid", "")), next=step)
    where = "" if holder["alive"] else ", on the machine %s, which this one cannot look into" % holder["process"]["host"]
    step = "Follow it with `npx task attach %s`, or end it with `npx task cancel %s`" % ((holder.get("run", ""),) * 2)
    return Fault("locked", "%s is locked by %s%s" % (cluster, who, where), next=step)
