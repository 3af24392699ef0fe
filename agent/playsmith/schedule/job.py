"""One job, started by a timer: the run that a client would have started, followed to its end."""
import contextlib
import os
import signal
import sys
import time
import traceback

from playsmith.execution import supervise
from playsmith.fault import Fault
from playsmith.guards import containment
from playsmith.guards.process import is_alive
from playsmith.guards.process import send as send_signal
from playsmith.history import record, runs
from playsmith.messages import facts, send
from playsmith.places import Places, write_json
from playsmith.schedule import jobs, secrets

# How long somebody else may hold the cluster before the job is given up, and how often it looks.
PATIENCE_SECONDS, LOOK_SECONDS = 30 * 60, 20
# Of what follows a run, what receivers are sent takes longest.
END_SECONDS = send.LONGER + 20
# The exit codes of the tasks.
CODES = {
    "secret": 7, "server": 13, "bundle": 14, "locked": 15, "run": 16, "stale": 17, "failed": 20, "unreachable": 21,
    "canceled": 22, "drifted": 25, "slow": 26, "error": 20, "lost": 16, "successful": 0,
}


def main(words):
    directory, cluster, job = words
    containment.keep_out()
    began = record.now()
    try:
        outcome = Job(Places(directory), cluster, job).run()
    except Fault as fault:
        failure = fault.failure
        text = "\n".join(failure[key] for key in ("message", "evidence", "next") if failure.get(key))
        outcome = {"run": "", "status": failure["kind"], "message": text}
    except Exception as error:
        # Whoever waits for word of this job hears of it, whatever it was.
        traceback.print_exc()
        outcome = {"run": "", "status": "bug", "message": "%s: %s" % (type(error).__name__, error)}
    outcome = dict(outcome, began=began, ended=record.now())
    print("%s of %s: %s\n%s" % (job, cluster, outcome["status"], outcome["message"]), flush=True)
    for work in (jobs.note, tell):
        # A disk that takes no note of it is no reason to be silent.
        with contextlib.suppress(Fault):
            work(Places(directory), cluster, job, outcome)
    sys.exit(CODES.get(outcome["status"], 70))


def tell(places, cluster, job, outcome):
    """Of a job that had no run, whose end would have been told by itself. Secrets that cannot be read are no reason to be silent by mail."""
    found = None if outcome["run"] else jobs.stored(places, cluster)
    for each in (found or {}).get("messages", []):
        with contextlib.suppress(Fault):
            values = secrets.read(found["secretsFolder"], list(each["secrets"].values()))
            send.about(facts.of_job(cluster, job, outcome), {"receivers": [each], "values": values})


class Job:
    def __init__(self, places, cluster, name):
        self.places, self.cluster, self.name = places, cluster, name
        self.schedule, self.entry = jobs.entry(places, cluster, name)
        self.folder = ""
        self.stopped = False

    def run(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self.stop())
        began = self.begin(time.monotonic() + PATIENCE_SECONDS)
        self.folder = self.places.run(self.cluster, began["run"])
        if self.stopped:
            self.stop()
        found = self.end()
        return self.judged(found)

    def begin(self, until):
        """Somebody who works on the cluster now is waited for."""
        values = secrets.read(self.schedule["secretsFolder"], self.schedule["variables"])
        receivers = self.schedule["messages"]
        told = {variable for each in receivers for variable in each["secrets"].values()}
        messages = {"drift": self.name == "drift", "receivers": receivers, "values": {name: values[name] for name in told}}
        of_run = {name: value for name, value in values.items() if name not in told}
        while True:
            request = dict(self.entry, cluster=self.cluster, digest=self.schedule["digest"], token=os.urandom(8).hex())
            try:
                return supervise.start(self.places, dict(request, secrets=secrets.sealed(of_run), messages=messages))
            except Fault as fault:
                if fault.failure["kind"] != "locked" or self.stopped or time.monotonic() > until:
                    raise
            time.sleep(LOOK_SECONDS)

    def stop(self):
        """As `npx task cancel` does; the run sees it by itself, and is told by a signal where nothing can be written."""
        self.stopped = True
        if not self.folder:
            return
        try:
            write_json(os.path.join(self.folder, "cancel"), {"who": "systemd", "login": None, "when": record.now()})
        except Fault:
            found = record.stored(self.folder)
            if found and is_alive(found["process"]):
                send_signal(found["process"]["pid"], signal.SIGTERM)

    def end(self):
        """When nothing of it is left: what is, systemd ends with this process."""
        while record.status_of(found := record.load(self.folder)) == "running":
            time.sleep(0.5)
        runs.released(self.places, found)
        until = time.monotonic() + END_SECONDS
        while containment.of_run(found["process"]) and time.monotonic() < until:
            time.sleep(0.1)
        return found

    def judged(self, found):
        status = record.status_of(found)
        recap = found.get("recap") or {}
        differing = facts.differing(recap)
        lines = ["%s: %s" % (each["host"], each["message"]) for each in found.get("failures") or []]
        if status == "successful" and self.name == "drift" and differing:
            status, lines = "drifted", ["%s differ from the bundle" % ", ".join(differing)]
        if status == "successful" and facts.is_slow(found.get("results") or {}):
            status, lines = "slow", ["clients waited longer than the definition allows"]
        lines.append("run %s, %d hosts, %s s" % (found["run"], len(recap), found.get("seconds")))
        return {"run": found["run"], "status": status, "message": "\n".join(lines)}

