"""Secrets of one run: encrypted in its private folder, their password in memory only, their values struck out of all output."""
import fcntl
import json
import math
import os

from playsmith.places import write_private
from playsmith.scrubbing import HIDDEN, Striker

# What the format of events gives to itself: nothing of it comes from a value, and judging a run rests on it.
EVENT = ("event", "uuid", "parent_uuid", "counter", "runner_ident", "pid", "created", "start_line", "end_line", "verbosity")
STATS = ("processed", "ok", "changed", "failures", "dark", "skipped", "rescued", "ignored")
DATA = ("playbook_uuid", "play_uuid", "task_uuid", "uuid", "host", "remote_addr", "task_action", "resolved_action")
TIMES = ("start", "end", "duration", "ignore_errors", "is_conditional", "event_loop")
RESULT = (
    "changed failed unreachable skipped skip_reason censored msg message item results rc stdout stderr stdout_lines stderr_lines "
    "module_stdout module_stderr invocation module_args diff before after before_header after_header prepared exception warnings "
    "deprecations ansible_facts ansible_loop_var ansible_index_var _ansible_item_label _ansible_item_result _ansible_no_log "
    "_ansible_verbose_always _ansible_verbose_override _ansible_delegated_vars cmd start end delta attempts retries path dest src "
    "state mode owner group size uid gid checksum name value url status content encoding source stat exists evaluated_to assertion"
).split()
WORDS = frozenset(RESULT)


def password_file(password):
    """An open file that whoever inherits it can read, and nobody else as far as the kernel keeps others out; nothing of it is on a disk."""
    handle = os.memfd_create("playsmith", os.MFD_ALLOW_SEALING)
    os.write(handle, password.encode())
    os.fchmod(handle, 0o400)
    fcntl.fcntl(handle, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL)
    return handle


def arguments(folder, secrets):
    """The arguments of Ansible, and the open files that it has to inherit."""
    if not secrets:
        return [], ()
    file = os.path.join(folder, "secrets.yml")
    write_private(file, secrets["vault"])
    handle = password_file(secrets["password"])
    return ["--vault-password-file", "/proc/self/fd/%d" % handle, "--extra-vars", "@" + file], (handle,)


def finite(value):
    """JSON has no number for what is none, or is infinite: no reader but Python's would take the line."""
    return value if not isinstance(value, float) or math.isfinite(value) else json.dumps(value)


class Scrubber:
    """Strikes out values, and leaves the skeleton that a run is judged by: a secret may be a word of it."""

    def __init__(self, values):
        self.striker = Striker(values)

    def scrub(self, value):
        if isinstance(value, dict) and isinstance(value.get("event"), str) and isinstance(value.get("event_data"), dict):
            return self.event(value)
        return self.data(value)

    def event(self, event):
        data = {key: self.event_data(key, each) for key, each in event["event_data"].items()}
        rest = {key: each if key in EVENT else self.data(each) for key, each in event.items()}
        return dict(rest, event_data=data)

    def event_data(self, key, value):
        if key in DATA or key in TIMES or (key in STATS and isinstance(value, dict)):
            return value
        return self.said(value) if key == "artifact_data" else self.data(value)

    def said(self, value):
        """What playbooks say of their run: names and numbers are theirs, and read by us; texts may hold anything."""
        if isinstance(value, dict):
            return {key: self.said(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self.said(each) for each in value]
        return self.striker.strike(value) if isinstance(value, str) else finite(value)

    def data(self, value):
        if isinstance(value, str):
            return self.striker.strike(value)
        if isinstance(value, (int, float)):
            return HIDDEN if self.striker.is_number(value) else finite(value)
        if isinstance(value, dict):
            return self.entries(value)
        if isinstance(value, list):
            texts = bool(value) and all(isinstance(each, str) for each in value)
            return self.striker.strike_lines(value) if texts else [self.data(each) for each in value]
        return value

    def entries(self, value):
        """Two keys that are struck out stay two."""
        found = {}
        for key, each in value.items():
            name = key if key in WORDS or not isinstance(key, str) else self.striker.strike(key)
            while name in found:
                name += "'"
            found[name] = self.data(each)
        return found
