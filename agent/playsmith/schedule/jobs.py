"""What a client leaves on the server for jobs that run at set times, when no client is there: whole requests, and the program."""
import base64
import calendar
import contextlib
import hashlib
import os
import shutil
import subprocess
import time

from playsmith.fault import Fault, writing
from playsmith.files import bundle, disk
from playsmith.history import record
from playsmith.places import private_folder, read_json, write_json
from playsmith.schedule import secrets

JOBS, PROGRAM, LAST = "jobs.json", "program", "last"
OUTCOME = ("run", "status", "message", "began", "ended")
SHOWN = ("digest", "installed", "who", "program")
UNIT = "playsmith-%s.%s.timer"


def keep(places, request):
    """Of one bundle, which has to be here. What an earlier client left is replaced; with `check` it is only judged."""
    cluster, wanted = request["cluster"], request["schedule"]
    bundle.verify(places.bundle(cluster, wanted["digest"]), wanted["digest"])
    secrets.read(wanted["secretsFolder"], wanted["variables"])
    program = base64.b64decode(request["program"])
    told = {"installed": record.now(), "program": hashlib.sha256(program).hexdigest()}
    if request.get("check"):
        return told
    folder = places.schedule(cluster)
    private_folder(folder)
    disk.replace(os.path.join(folder, PROGRAM), program)
    write_json(os.path.join(folder, JOBS), dict(wanted, **told))
    return told


def forget(places, request):
    folder = places.schedule(request["cluster"])
    there = os.path.isdir(folder)
    # Without it no job begins any more.
    with writing(folder), contextlib.suppress(FileNotFoundError):
        os.unlink(os.path.join(folder, JOBS))
    shutil.rmtree(folder, ignore_errors=True)
    return {"removed": there}


def stored(places, cluster):
    found = read_json(os.path.join(places.schedule(cluster), JOBS))
    return found if isinstance(found, dict) and isinstance(found.get("jobs"), dict) else None


def look(places, request):
    """What is installed, when each job runs next, and how it ended the last time."""
    cluster = request["cluster"]
    found = stored(places, cluster)
    if found is None:
        return {"schedule": None, "jobs": []}
    jobs = [dict(job=job, last=last(places, cluster, job), **timer(cluster, job)) for job in found["jobs"]]
    return {"schedule": {key: str(found.get(key, "")) for key in SHOWN}, "jobs": jobs}


def last(places, cluster, job):
    found = read_json(os.path.join(places.schedule(cluster), LAST, job + ".json"))
    return found if isinstance(found, dict) and all(isinstance(found.get(key), str) for key in OUTCOME) else None


def note(places, cluster, job, outcome):
    private_folder(os.path.join(places.schedule(cluster), LAST))
    write_json(os.path.join(places.schedule(cluster), LAST, job + ".json"), outcome)


def timer(cluster, job):
    """As the systemd says that has it: the one of the machine for root, else the user's own."""
    words = ["systemctl"] + ([] if os.getuid() == 0 else ["--user"])
    words += ["show", "--property=ActiveState,NextElapseUSecRealtime", UNIT % (cluster, job)]
    environment = dict(os.environ, XDG_RUNTIME_DIR="/run/user/%d" % os.getuid(), LC_ALL="C", TZ="UTC")
    try:
        done = subprocess.run(words, env=environment, capture_output=True, check=False, timeout=10, text=True)
    except (OSError, subprocess.TimeoutExpired):
        return {"active": False, "next": ""}
    said = dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
    return {"active": said.get("ActiveState") == "active", "next": seconds(said.get("NextElapseUSecRealtime", ""))}


def seconds(text):
    """systemd writes times for people, whatever it is asked for: `@` and the seconds since 1970 of one in UTC."""
    try:
        return "@%d" % calendar.timegm(time.strptime(text, "%a %Y-%m-%d %H:%M:%S UTC"))
    except ValueError:
        return ""


def digest_of(places, cluster):
    """Of the bundle that jobs use, which nobody may collect; empty where there are none."""
    found = (stored(places, cluster) or {}).get("digest")
    return found if isinstance(found, str) else ""


def warnings(places, request):
    """Who brings another bundle to the hosts leaves jobs behind that compare them with the old one."""
    of = digest_of(places, request["cluster"])
    if not request.get("life") or of in ("", request["digest"]):
        return []
    return ["jobs at set times still use the bundle %s: `npx task schedule install` gives them this one" % of[:12]]


def entry(places, cluster, job):
    """The request that a job is, as the client that installed it would have sent it."""
    found = stored(places, cluster)
    if found is None:
        raise Fault("run", "No schedule of %s is installed here" % cluster, next="Install it with `npx task schedule install`")
    if job not in found["jobs"]:
        there = ", ".join(sorted(found["jobs"]))
        raise Fault("run", "The schedule of %s has no job %s; it has %s" % (cluster, job, there), next="Install it again")
    return found, found["jobs"][job]


