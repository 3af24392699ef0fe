"""One run: takes the lock, runs Ansible, writes down what happens, gives everything back."""
import contextlib
import gzip
import os
import shutil
import signal
import time
import traceback

from playsmith.execution import ansible, secret
from playsmith.execution.patience import until_it_works
from playsmith.fault import Fault, writing
from playsmith.files import bundle, disk
from playsmith.guards import containment, lock
from playsmith.guards.process import identity
from playsmith.history import events, life, limits, record, stamp
from playsmith.messages import send
from playsmith.places import private_folder

RESERVE = 256 * 1024
# How much longer than itself a value is where other programs write it.
LONGEST_FORM = 16


class Run:
    def __init__(self, places, request):
        self.places, self.request, self.cluster = places, request, request["cluster"]
        self.bundle = places.bundle(self.cluster, request["digest"])
        stem = os.path.splitext(os.path.basename(request["playbook"]))[0]
        self.id = "%s-%s-%s" % (stamp.after(places.run_names(self.cluster)[-1:]), stem, request["token"][:4])
        self.folder = places.run(self.cluster, self.id)
        values = (request.get("secrets") or {}).get("values", [])
        self.scrubber = secret.Scrubber(values)
        self.longest = LONGEST_FORM * max(map(len, values), default=0)
        self.timings = record.Timings(request["outline"])
        self.ansible = None
        self.hosts = set()
        self.counter = 0
        self.parts = 0
        self.lost = 0
        self.size = 0

    def prepare(self):
        record.sweep(self.places, self.cluster)
        self.take_lock()
        try:
            life.settle_now(self.places, self.cluster)
            self.check()
            private_folder(self.folder)
            with writing(self.folder):
                self.log_to(os.open(os.path.join(self.folder, "supervisor.log"), os.O_WRONLY | os.O_CREAT, 0o600))
                self.events = os.open(os.path.join(self.folder, events.EVENTS), os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
                self.reserve()
            self.ansible = ansible.Ansible(self.places, self.folder, self.request, self.event)
            own = {"scratch": self.ansible.scratch, "fence": self.ansible.fence.number}
            self.record = dict(self.begun(), versions=self.ansible.versions(), loaded=self.ansible.loaded(), **own)
            record.save(self.folder, self.record)
            life.begun(self.places, self.request, self.id)
        except BaseException:
            self.undo()
            raise

    def undo(self):
        """What did not begin leaves nothing that says it did."""
        with contextlib.suppress(Fault, OSError):
            if self.ansible is None or record.gone(self.ansible.scratch):
                shutil.rmtree(self.folder, ignore_errors=True)
            lock.release(self.places, self.cluster, self.id)

    def take_lock(self):
        step = self.request.get("step")
        if step:
            lock.enter(self.places, self.cluster, step["fence"], dict(self.holder(), client=self.request["client"]))
        else:
            lock.take(self.places, self.cluster, self.holder(), self.request["machines"])

    def check(self):
        bundle.verify(self.bundle, self.request["digest"])
        playbook = os.path.normpath(os.path.join(self.bundle, self.request["playbook"]))
        if not playbook.startswith(self.bundle + os.sep) or not os.path.isfile(playbook):
            raise Fault("bundle", "The bundle has no playbook %s" % self.request["playbook"], evidence=self.bundle)

    def log_to(self, handle):
        os.dup2(handle, 1)
        os.dup2(handle, 2)
        os.close(handle)

    def reserve(self):
        """Room that is given back at the end, so that a disk that filled up meanwhile still takes the record."""
        path = os.path.join(self.folder, "reserve")
        with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(bytes(RESERVE))

    def holder(self):
        meta = self.request["meta"]
        keys = {"who": meta["operator"], "since": record.now(), "what": self.what()}
        return dict(keys, run=self.id, token=self.request["token"], process=self.process())

    def process(self):
        """By which one sees whether anything of the run is alive."""
        return dict(identity(os.getpid()), keeper=self.request["keeper"], mark=self.request["token"])

    def what(self):
        """The playbook, and the machines that it is about."""
        targets = ansible.targets_of(self.request)
        listed = ", ".join(targets[:5]) + (" and %d more" % (len(targets) - 5) if len(targets) > 5 else "")
        return self.request["playbook"] + (" of " + listed if targets else "")

    def begun(self):
        request = self.request
        keys = {key: request[key] for key in ("cluster", "digest", "playbook", "options", "token", "meta", "outline", "login")}
        open_end = {"status": "running", "ended": None}
        return dict(keys, run=self.id, started=record.now(), process=self.process(), **open_end)

    def event(self, event):
        """Events are scrubbed before anything of them is kept. False: ansible-runner keeps no file of it."""
        event = dict(self.scrubber.scrub(limits.limited(event, self.beginning)), counter=self.counted(event))
        self.hosts.add(event["event_data"].get("host") if isinstance(event.get("event_data"), dict) else None)
        self.append(events.line_of(event))
        self.timings.take(event)
        return False

    def counted(self, event):
        """Parts of tasks have no counter of ansible-runner; all that come after one count on."""
        self.parts += "counter" not in event
        self.counter = event.get("counter", self.counter + 1 - self.parts) + self.parts
        return self.counter

    def beginning(self, text, room):
        """Of a text that is too long: with all secrets struck out, also one that the end of the room cuts in two."""
        margin = self.longest
        return self.scrubber.scrub(text[:room + margin])[:-margin or None][:room]

    def append(self, line):
        """A disk that is full loses whole events, counted in the record, never a part of one."""
        try:
            written = os.write(self.events, line)
        except OSError:
            written = 0
        if written < len(line):
            with contextlib.suppress(OSError):
                os.ftruncate(self.events, self.size)
            self.lost += 1
        else:
            self.size += written

    def work(self):
        began = time.monotonic()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self.ansible.cancel())
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        try:
            code = self.ansible.run()
        except BaseException:
            with contextlib.suppress(OSError):
                traceback.print_exc()
            code = None
        self.end(code, round(time.monotonic() - began, 3))

    def end(self, code, seconds):
        """The lock is given back when nothing of the run can write any more."""
        containment.end_below()
        left = [] if self.timings.story.recap and not self.ansible.cancelled else self.ansible.stop_on_hosts(self.hosts)
        containment.end_below()
        changed = self.ansible.changes()
        record.clean(self.folder, self.ansible.scratch)
        self.compress()
        story = self.timings.story
        status = verdict(code, story.recap, self.ansible.cancelled)
        # Nobody can say any more what ran.
        status = "error" if changed and status == "successful" else status
        failures = [each for each in self.timings.failures.values() if failing(story.recap, each["host"])]
        ending = {"status": status, "ended": record.now(), "seconds": seconds, "recap": story.recap or {}, "exitStatus": code}
        ending.update({"changedWhileRunning": changed} if changed else {})
        ending.update({"unstopped": left} if left else {})
        ending.update(record.compared(self.places, self.record, story.results))
        whole = dict(self.record, **ending, failures=failures, tasks=self.timings.tasks, eventsLost=self.lost)
        until_it_works(lambda: record.save(self.folder, whole))
        record.clean(self.folder, self.ansible.scratch)
        life.ended(self.places, self.cluster, self.id, status, story.recap or {})
        until_it_works(lambda: lock.release(self.places, self.cluster, self.id))
        send.after_run(self.folder, self.request)

    def compress(self):
        path = os.path.join(self.folder, events.EVENTS)
        try:
            with open(path, "rb") as plain, gzip.open(path + ".gz.partial", "wb", 5) as packed:
                shutil.copyfileobj(plain, packed)
            os.chmod(path + ".gz.partial", 0o600)
            disk.flush(path + ".gz.partial")
            disk.rename(path + ".gz.partial", path + ".gz")
            os.unlink(path)
        except OSError:
            with contextlib.suppress(OSError):
                bundle.remove(path + ".gz.partial")


def failing(recap, host):
    return recap is None or bool(recap.get(host, {}).get("failed") or recap.get(host, {}).get("unreachable"))


def verdict(code, recap, cancelled):
    """From the recap where there is one: the exit status of ansible-playbook means several things at once."""
    if cancelled and code != 0:
        return "canceled"
    if recap is None:
        return "error"
    if any(host["failed"] for host in recap.values()):
        return "failed"
    if any(host["unreachable"] for host in recap.values()):
        return "unreachable"
    return "successful" if code == 0 else "error"
