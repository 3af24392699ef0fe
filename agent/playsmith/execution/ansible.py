"""The one place that knows ansible-runner and the command line of ansible-playbook."""
import importlib.metadata
import json
import os
import re
import shutil
import signal
import sys
import time

from playsmith.execution import closed, copied, scratch, secret, told, whole_output
from playsmith.fault import server_fault, writing
from playsmith.guards import fencing
from playsmith.guards.containment import MARK
from playsmith.guards.process import descendants, eldest_child, send
from playsmith.history.record import SCOPE, VARIABLES, gone
from playsmith.places import write_private
from playsmith.yaml_text import yaml_text

GRACE = 10
VARIABLE = re.compile(r"[a-z_][a-z0-9_]*")
MACHINE = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?")
GROUPS = ("targets", "others", "unaffected", "leaving", "skipped", "kubectl_host")
# Ends Ansible with its supervisor; keeps its memory and its files from other processes of our user; gives it the umask of a login,
# since ours is for our own files; takes away the terminal on which ssh would wait for ever for somebody to say yes to an unknown
# host key; and lets Python look for garbage more rarely, of which a short run has little. Its arguments: our process, the umask, the
# mark of the run, the command line.
GUARD = """import ctypes,fcntl,gc,os,runpy,signal,sys,termios
for option, value in ((1, signal.SIGINT), (4, 0)): ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
os.getppid() == int(sys.argv[1]) or os._exit(1)
signal.signal(signal.SIGINT, signal.default_int_handler)
os.umask(int(sys.argv[2], 8))
fcntl.ioctl(0, termios.TIOCNOTTY)
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
words = sys.argv[4:]
if words[:2] != [sys.executable, "-I"]: os.execvp(words[0], words)
gc.set_threshold(20000, 20, 20)
sys.argv = words[2:]
runpy.run_path(words[2], run_name="__main__")
"""


def search_path():
    """The interpreter's own folder first: a venv is not activated."""
    own = os.path.dirname(sys.executable)
    path = os.environ.get("PATH", "/usr/local/bin:/usr/bin:/bin")
    return path if own in ("/usr/bin", "/bin", "") else own + ":" + path


def playbook_program():
    return program("ansible-playbook")


def program(name):
    return shutil.which(name, path=search_path())


class Ansible:
    def __init__(self, places, folder, request, on_event):
        self.places, self.folder, self.request, self.on_event = places, folder, request, on_event
        self.cancelled = False
        self.deadline = None
        self.umask = os.umask(0o077)
        self.scratch = scratch.make(folder)
        try:
            self.prepare(places.bundle(request["cluster"], request["digest"]))
        except BaseException:
            gone(self.scratch)
            raise

    def prepare(self, bundle):
        self.bundle = copied.make(bundle, os.path.join(self.scratch, "bundle"), self.request["digest"])
        closed.clean_environment(self.bundle, self.scratch, search_path())
        os.environ[MARK] = self.request["token"]
        self.told = told.Told(self.scratch)
        self.fence = fencing.Fence(self.places, self.request["cluster"], self.folder, self.scratch)
        self.let_targets_go_on()
        self.write_settings()
        self.inputs = self.inventory_and_variables()
        self.command = self.guard() + self.playbook()
        self.config = self.configure()

    def let_targets_go_on(self):
        """Where several nodes are made at once, one that fails does not stop the others."""
        if len(targets_of(self.request)) > 1:
            os.environ["ANSIBLE_ANY_ERRORS_FATAL"] = "False"

    def write_settings(self):
        """ansible-runner drops settings that are passed to it and reads this file. Its own copy of the output is not scrubbed."""
        settings = {"pexpect_timeout": 0.5, "suppress_output_file": True, "suppress_ansible_output": True}
        write_private(os.path.join(self.folder, "env", "settings"), json.dumps(settings))

    def configure(self):
        from ansible_runner.config.runner import RunnerConfig

        with writing(self.folder):
            config = RunnerConfig(
                private_data_dir=self.folder,
                playbook=self.request["playbook"],
                project_dir=self.bundle,
                artifact_dir=self.scratch,
                ident="ansible",
                fact_cache_type="memory",
                quiet=True,
            )
            config.prepare()
        config.command = self.command
        # Connections of its own: one that an earlier run left open would go on without its host key being asked for.
        config.env["ANSIBLE_SSH_CONTROL_PATH_DIR"] = os.path.join(self.scratch, "cp")
        return config

    def guard(self):
        return [sys.executable or "python3", "-I", "-c", GUARD, str(os.getpid()), "%03o" % self.umask, self.request["token"]]

    def playbook(self):
        options = self.request["options"]
        words = closed.isolated(playbook_program()) + self.inputs
        words += ["--check"] if options.get("check") else []
        words += ["--diff"] if options.get("check") or options.get("diff") else []
        for name, key in (("limit", "limit"), ("tags", "tags"), ("skip-tags", "skipTags")):
            if options.get(key):
                words.append("--%s=%s" % (name, ",".join(options[key])))
        words += ["--forks=%d" % options["forks"]] if options.get("forks") else []
        return words + [self.request["playbook"]]

    def inventory_and_variables(self):
        options = self.request["options"]
        words = inventory_arguments(self.folder, options.get("scope"))
        secrets, self.handles = secret.arguments(self.folder, self.request.get("secrets"))
        return words + secrets + variable_arguments(self.folder, options.get("variables"))

    def run(self):
        """The exit status of ansible-playbook."""
        import pexpect
        from ansible_runner.runner import Runner

        pexpect.spawn = whole_output.spawning(pexpect.spawn, self.handles)
        runner = Runner(self.config, event_handler=self.on_event, cancel_callback=self.overdue)
        runner.run()
        # Whoever wants it to end from now on comes too late: how it ended is what it is.
        self.deadline = self.deadline or time.monotonic()
        return runner.rc

    def cancel(self):
        """As Ctrl-C would: Ansible ends its workers and cleans up."""
        if self.deadline is None:
            self.cancelled = True
            self.deadline = time.monotonic() + GRACE
            child = eldest_child(os.getpid())
            if child is not None:
                send(child, signal.SIGINT)

    def overdue(self):
        """Asked twice a second, and tells what was told meanwhile. True: ansible-runner kills the process group; workers in others are ours."""
        for event in self.told.fresh():
            self.on_event(event)
        if self.deadline is None and os.path.exists(os.path.join(self.folder, "cancel")):
            self.cancel()
        if self.deadline is None or time.monotonic() < self.deadline:
            return False
        for each in descendants(os.getpid()):
            send(each, signal.SIGKILL)
        return True

    def stop_on_hosts(self, seen):
        """What the run began on hosts goes on without us; says what of it could not be ended."""
        return fencing.stop(self.fence, closed.isolated(program("ansible")) + self.inputs, self.bundle, seen, self.handles)

    def loaded(self):
        return closed.loaded(playbook_program())

    def changes(self):
        return copied.changes(self.bundle, self.request["digest"])

    def versions(self):
        found = {name: version_of(name) for name in ("ansible-core", "ansible-runner")}
        return dict(found, python="%d.%d.%d" % sys.version_info[:3])


def targets_of(request):
    return (request["options"].get("scope") or {}).get("targets", [])


def inventory_arguments(folder, scope):
    """The bundle's own inventories, or its machines with another scope: groups of names, and nothing else."""
    if not scope:
        return ["--inventory", "inventory"]
    names_in = {group: scope.get(group, []) for group in GROUPS}
    wrong = [name for each in names_in.values() for name in each if not isinstance(name, str) or not MACHINE.fullmatch(name)]
    if wrong:
        raise server_fault("These are no names of machines: %s" % ", ".join(map(repr, wrong)), "", "Name them as the definition does")
    children = {group: {"hosts": {name: {} for name in each}} for group, each in names_in.items()}
    file = os.path.join(folder, SCOPE)
    write_private(file, json.dumps({"all": {"children": children}}) + "\n")
    return ["--inventory", "inventory/hosts.yml", "--inventory", file]


def variable_arguments(folder, variables):
    """What a person gave for this run: text that Ansible evaluates nowhere, whatever is in it."""
    if not variables:
        return []
    wrong = [name for name in variables if not VARIABLE.fullmatch(name) or not isinstance(variables[name], str)]
    if wrong:
        raise server_fault("These are no variables: %s" % ", ".join(map(repr, wrong)), "", "Name them as Ansible does")
    file = os.path.join(folder, VARIABLES)
    write_private(file, "".join("%s: !unsafe %s\n" % (name, yaml_text(variables[name])) for name in sorted(variables)))
    return ["--extra-vars", "@" + file]


def version_of(name):
    """Empty when the package does not say: Debian 13 gives ansible-runner the version 0.0.0."""
    try:
        found = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""
    return "" if found == "0.0.0" else found
