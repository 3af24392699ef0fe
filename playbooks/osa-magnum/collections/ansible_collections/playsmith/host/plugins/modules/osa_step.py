#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: osa_step
short_description: Runs one step of a list on the deploy host, apart from whoever asks, and says what became of it
version_added: 0.1.0
description:
  - A step counts as done when the very same command ended well for the very same files, after the step before it.
options:
  state:
    description:
      - V(started) starts the step, unless it was done, or is running already.
      - V(ended) waits up to twenty seconds for its end. Fails where the step failed.
      - V(done) changes nothing, and names the steps that would not be started.
      - V(forgotten) forgets that steps were done, from O(first) on.
    type: str
    choices: [started, ended, done, forgotten]
    required: true
  cluster:
    description: The name of the deployment.
    type: str
    required: true
  playbook:
    description: The name of the list.
    type: str
    required: true
  digest:
    description: What stands for the files that the steps work with.
    type: str
    required: true
  checkout:
    description: The folder in which the commands run.
    type: path
    required: true
  steps:
    description:
      - The list. Each step has a C(name) and a command, C(argv). One with C(always) is wanted in every run, and is over until
        somebody was told how it ended.
    type: list
    elements: dict
    required: true
  at:
    description: The place of the step in the list, from 0.
    type: int
    default: 0
  first:
    description: The name of the step to begin with, or V(first).
    type: str
    default: ""
author: Playsmith
attributes: {check_mode: {support: none}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Wait for the end of a step
  playsmith.host.osa_step:
    state: ended
    cluster: cloud
    playbook: osa-deploy-new
    digest: 0b1c
    checkout: /opt/openstack-ansible
    steps:
      - name: setup-hosts
        argv: [openstack-ansible, openstack.osa.setup_hosts]
  register: __seen
  until: __seen.state == 'ended'
  retries: 20000
"""

RETURN = r"""
state:
  description: V(started), V(running), V(ended), or V(done), where an earlier run had it done.
  type: str
  returned: when O(state) is V(started) or V(ended)
done:
  description: Names of the steps that would not be started, or that were forgotten.
  type: list
  elements: str
  returned: when O(state) is V(done) or V(forgotten)
task: {description: The task of Ansible that the step is at., type: str, returned: when O(state=ended)}
recap: {description: What Ansible counted for each host., type: list, elements: str, returned: when O(state=ended)}
log: {description: The file with all that it printed., type: str, returned: when O(state=ended)}
"""

import hashlib
import json
import os
import re
import time

from ansible.module_utils.basic import AnsibleModule

STATES, ALL_LOGS = "/var/lib/playsmith/osa", "/var/log/playsmith/osa"
PATIENCE = 20
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
BEGINNING = re.compile(r"(?m)^(?:TASK|RUNNING HANDLER) \[(.*)\] \**$")
# `fatal: [infra1]: FAILED! => {…}`, and of a list `failed: [infra1] (item=…) => {…}`; or the mapping in YAML below it.
RESULT = re.compile(
    r"(?m)^((?:fatal|failed): \[[^\]]*\](?: \(item=.*\))?):?(?: \w+!)? => (.*)((?:\n(?:    .*|[ \t]*$))*)"
)
# What a step says that has written its state.
BEGUN = "begun"
# Runs a command, then writes how and when it ended.
SUPERVISOR = """
umask 077; checkout=$1 log=$2 end=$3; shift 3
{ cd "$checkout" && { command -v "$1" >/dev/null || echo "ERROR! No such file: $1"; "$@"; }; } >"$log" 2>&1
echo "$? $(date +%s.%N)" >"$end.partial"; mv "$end.partial" "$end"
"""


def text_of(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def forget(path):
    try:
        os.remove(path)
    except FileNotFoundError:
        pass


def beginning(pid):
    """When a process began, so that its number cannot mean another one; none where there is no such process."""
    try:
        with open("/proc/%d/stat" % pid, encoding="utf-8") as file:
            began = file.read().rpartition(")")[2].split()[19]
        with open("/proc/sys/kernel/random/boot_id", encoding="utf-8") as file:
            return file.read().strip() + " " + began
    except (OSError, IndexError):
        return None


def is_running(state):
    return "pid" in state and "rc" not in state and beginning(state["pid"]) == state["beginning"]


def parsed(text):
    """What the log of Ansible says: where it is, who failed and why, and its last words."""
    head, *rest = BEGINNING.split(text)
    tasks = [("", head), *zip(rest[::2], rest[1::2])]
    failures, errors = [], []
    for at, (task, body) in enumerate(tasks):
        where = "TASK [%s]: " % task if task else ""
        before, ignored = tasks[max(at - 1, 0)][1], "\n...ignoring" in body
        for found in RESULT.finditer(body):
            # A task that ignores errors does not ignore that a host is away.
            if not ignored or ": UNREACHABLE! =>" in found.group():
                failures.append((at, found.group(1), where + failure_of(found, before)))
        errors += [where + line[:1000] for line in re.findall(r"(?m)^(?:ERROR! |\[ERROR\]: ).*", body)]
    recap = re.findall(r"(?m)^\S+ +: ok=\d+ +changed=\d+.*", text)
    return {
        "task": tasks[-1][0],
        "failures": (unrescued(failures, recap) or errors)[-10:],
        "recap": [" ".join(line.split()) for line in recap[-50:]],
        "notice": "".join(re.findall(r"(?m)^EXIT NOTICE \[(.*?)\]", text)[-1:]),
        "last": [line for line in text.splitlines() if line.strip()][-5:],
    }


def unrescued(failures, recap):
    """What is told of failures without those that a playbook rescued, which its recap counts once a host and task, whatever the
    items of a loop. They came before the one that ended it for a host."""
    left = {}
    for host, count in re.findall(r"(?m)^(\S+) .* rescued=(\d+)", "\n".join(recap)):
        left[host] = left.get(host, 0) + int(count)
    rescued, told = set(), []
    for at, who, says in failures:
        host = re.split(r"[][ ]+", who)[1]
        if (host, at) not in rescued and left.get(host):
            left[host] -= 1
            rescued.add((host, at))
        told += [] if (host, at) in rescued else [says]
    return told


def failure_of(found, before):
    """Who failed and why, in one line. OpenStack-Ansible has results in YAML since 2025.1. Of one that is hidden, what the task
    before it said may tell more."""
    who, written, below = found.groups()
    try:
        about = json.loads(written)
    except ValueError:
        about = fields_of(below.splitlines())
    said = [str(about.get("msg") or about.get("censored") or "")]
    if "censored" in about:
        said += re.findall(r'(?m)^    "?msg"?: (.*)', before)[-1:]
    if "rc" in about:
        printed = [str(about[key]) for key in ("stderr", "stdout", "module_stderr", "module_stdout") if about.get(key)]
        said += printed[0].strip().splitlines()[-1:] if printed else []
    why = ": ".join(shortened(each) for each in said if each.strip())
    return "%s: %s" % (who[:300], why) if why else found.group().strip()[:1000]


def fields_of(result):
    """The texts of a mapping in YAML as Ansible writes it; the host need not have a library for it."""
    found, key = {}, ""
    for line in result:
        named = re.match(r"    (\w+):(?: (.*))?$", line)
        if named:
            key = named.group(1)
            found[key] = [] if re.match(r"[|>][-+\d]*$", named.group(2) or "") else [named.group(2) or ""]
        elif key:
            found[key].append(line.strip())
    return {key: unquoted("\n".join(lines)) for key, lines in found.items()}


def unquoted(text):
    return text[1:-1].replace("''", "'") if re.match(r"'[\s\S]*'$", text) else text


def shortened(text):
    """In one line: all of it, or how it begins and ends."""
    line = " ".join(text.split())
    return line if len(line) <= 600 else "%s ... %s" % (line[:200], line[-300:])


class Steps:
    def __init__(self, given):
        self.given, self.steps = given, given["steps"]
        self.folder = os.path.join(STATES, given["cluster"])
        self.logs = os.path.join(ALL_LOGS, given["cluster"])

    def path(self, at, ending):
        folder = self.logs if ending == "log" else self.folder
        return os.path.join(folder, "%s.%s.%s" % (self.given["playbook"], self.steps[at]["name"], ending))

    def key(self, at):
        return hashlib.sha256(json.dumps([self.given["digest"], self.steps[at]["argv"]]).encode()).hexdigest()

    def read(self, at):
        state = json.loads(text_of(self.path(at, "json")) or "{}")
        end = text_of(self.path(at, "end")).split()
        return dict(state, rc=int(end[0]), ended=float(end[1])) if state and end else state

    def write(self, at, state):
        partial = self.path(at, "json") + ".partial"
        with open(partial, "w", encoding="utf-8") as file:
            json.dump(state, file)
        os.rename(partial, self.path(at, "json"))

    def is_done(self, at):
        state = self.read(at)
        if state.get("key") != self.key(at) or state.get("rc") != 0:
            return False
        return at == 0 or (self.is_done(at - 1) and state["began"] >= self.read(at - 1)["ended"])

    def is_over(self, at):
        """It need not be started. One that is wanted in every run is over until somebody was told how it ended."""
        return self.is_done(at) and not (self.steps[at].get("always") and self.read(at).get("told"))

    def start(self, at):
        if is_running(self.read(at)):
            return {"state": "running"}
        if self.is_over(at):
            return {"state": "done"}
        os.makedirs(self.folder, mode=0o700, exist_ok=True)
        os.makedirs(self.logs, mode=0o700, exist_ok=True)
        ready, told = os.pipe()
        if os.fork() == 0:
            os.close(ready)
            os.setsid()
            if os.fork() == 0:
                self.begin(at, told)
            os._exit(0)
        os.close(told)
        said = os.read(ready, 4096).decode(errors="replace")
        # What an earlier run left would be taken for the end of this one.
        return {"state": "started"} if said == BEGUN else {"state": "refused", "why": said or "it was killed"}

    def begin(self, at, told):
        try:
            self.supervise(at, told)
        except OSError as error:
            os.write(told, ("%s: %s" % (error.filename, error.strerror)).encode())

    def supervise(self, at, told):
        """Becomes a shell of its own session, with nothing of the connection that started it, and with nothing of its
        environment: what carries the number of a run is ended by the next run, which is to find this one."""
        argv = self.steps[at]["argv"]
        state = {"key": self.key(at), "argv": argv, "began": time.time(), "pid": os.getpid()}
        forget(self.path(at, "end"))
        self.write(at, dict(state, beginning=beginning(os.getpid())))
        empty = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(empty, number)
        os.write(told, BEGUN.encode())
        # A deploy host may reach publishers through a proxy alone, which its logins say.
        names = ("http_proxy", "https_proxy", "no_proxy")
        around = {name: value for name, value in os.environ.items() if name.lower() in names}
        around.update(
            {"HOME": "/root", "USER": "root", "LANG": "C.UTF-8", "TERM": "dumb", "PATH": PATH, "ANSIBLE_NOCOLOR": "1"}
        )
        places = [self.given["checkout"], self.path(at, "log"), self.path(at, "end")]
        os.execve("/bin/sh", ["sh", "-c", SUPERVISOR, "sh", *places, *argv], around)

    def look(self, at):
        end = time.monotonic() + PATIENCE
        while is_running(self.read(at)) and time.monotonic() < end:
            time.sleep(0.5)
        running, state = is_running(self.read(at)), self.read(at)
        told = dict(parsed(text_of(self.path(at, "log"))), log=self.path(at, "log"))
        if running:
            return dict(told, state="running")
        if "rc" not in state:
            return dict(told, state="ended", rc=-1, failures=["it is gone without having said how it ended"])
        if self.steps[at].get("always"):
            self.write(at, dict(state, told=True))
        return dict(told, state="ended", rc=state["rc"])

    def again(self, first):
        """Names of the steps that were forgotten, or why none was."""
        names = [each["name"] for each in self.steps]
        if first != "first" and first not in names:
            return [], "%s has no step %s; it has %s" % (self.given["playbook"], first, ", ".join(names))
        if any(is_running(self.read(each)) for each in range(len(names))):
            return [], "a step of it is running; it goes on without being told where to begin"
        at = 0 if first == "first" else names.index(first)
        there = [each for each in range(at, len(names)) if os.path.exists(self.path(each, "json"))]
        for each in there:
            forget(self.path(each, "json"))
            forget(self.path(each, "end"))
        return [names[each] for each in there], ""


def main():
    module = AnsibleModule(
        argument_spec={
            "state": {"type": "str", "choices": ["started", "ended", "done", "forgotten"], "required": True},
            "cluster": {"type": "str", "required": True},
            "playbook": {"type": "str", "required": True},
            "digest": {"type": "str", "required": True},
            "checkout": {"type": "path", "required": True},
            "steps": {"type": "list", "elements": "dict", "required": True},
            "at": {"type": "int", "default": 0},
            "first": {"type": "str", "default": ""},
        },
        supports_check_mode=True,
    )
    state, at = module.params["state"], module.params["at"]
    steps = Steps(module.params)
    if state == "done" or (module.check_mode and state == "started"):
        over = [each["name"] for place, each in enumerate(steps.steps) if steps.is_over(place)]
        module.exit_json(changed=state != "done" and not steps.is_over(at), done=over, state="done")
    if state == "forgotten":
        forgotten, problem = ([], "") if module.check_mode else steps.again(module.params["first"])
        if problem:
            module.fail_json(msg=problem)
        module.exit_json(changed=bool(forgotten), done=forgotten)
    found = steps.start(at) if state == "started" else steps.look(at)
    if found["state"] == "refused":
        says = "%s could not be begun: %s. Mend that on the deploy host, and run the playbook again to go on here"
        module.fail_json(msg=says % (steps.steps[at]["name"], found["why"]))
    if found["state"] == "ended" and found["rc"] != 0:
        says = "%s ended with %d: %s. All of it is in %s. Run the playbook again to go on here"
        words = " / ".join(found["failures"] or found["last"])
        module.fail_json(msg=says % (steps.steps[at]["name"], found["rc"], words, found["log"]), **found)
    module.exit_json(changed=found["state"] == "started", **found)


if __name__ == "__main__":
    main()
