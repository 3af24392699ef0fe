"""The events of ansible-runner, retold in the few kinds that a person or a program follows a run by."""

STATUSES = {
    "runner_on_ok": "ok",
    "runner_on_failed": "failed",
    "runner_on_unreachable": "unreachable",
    "runner_on_skipped": "skipped",
}
RECAP = {
    "ok": "ok",
    "changed": "changed",
    "failed": "failures",
    "unreachable": "dark",
    "skipped": "skipped",
    "rescued": "rescued",
    "ignored": "ignored",
}
UNTELLING = ("", "non-zero return code", "MODULE FAILURE", "All items completed", "One or more items failed")


class Story:
    """Fed with every event of a run from the first on: a task's number is how many began so far."""

    def __init__(self):
        self.play = ""
        self.number = 0
        self.begun = ""
        self.diffs = {}
        self.recap = None
        self.results = {}

    def tell(self, event):
        data = event.get("event_data") or {}
        told = self.told(event.get("event", ""), data, event)
        return None if told is None else dict(told, counter=event.get("counter", 0), at=event.get("created", ""))

    def told(self, kind, data, event):
        if kind == "playbook_on_play_start":
            self.play, self.begun = data.get("name", ""), ""
            return {"type": "play-started", "name": self.play}
        if kind == "playbook_on_task_start":
            return None if self.again(data) else self.task(data)
        if kind == "part_start":
            return {"type": "part-started", "name": data.get("name", ""), "number": data.get("number", 0)}
        if kind in STATUSES:
            return self.host(STATUSES[kind], data)
        if kind == "runner_on_file_diff":
            self.diff((data.get("host"), data.get("task_uuid")), event.get("stdout", "").replace("\r\n", "\n").strip("\n"))
        if kind == "playbook_on_stats":
            self.recap = recap_of(data)
            # What playbooks say with set_stats.
            self.results = data.get("artifact_data") or {}
        if kind in ("warning", "system_warning", "error") and event.get("stdout"):
            return {"type": "warning", "text": " ".join(event["stdout"].split())}
        return None

    def again(self, data):
        """Whether the task that begins is the one that began last: one of `meta` is announced for each host that it is about."""
        before, self.begun = self.begun, data.get("task_uuid", "")
        return bool(before) and before == self.begun

    def diff(self, key, text):
        if text:
            self.diffs[key] = self.diffs.get(key, "") + text + "\n"

    def task(self, data):
        """Each batch of a play counts its tasks anew, as the outline does; a handler has the number of the task before."""
        handler = bool(data.get("is_conditional"))
        self.number += 0 if handler else 1
        return {"type": "task-started", "name": data.get("name", ""), "number": self.number, "handler": handler}

    def host(self, status, data):
        result = data.get("res") or {}
        if status == "failed" and data.get("ignore_errors"):
            status = "ignored"
        if status == "ok" and result.get("changed"):
            status = "changed"
        return {
            "type": "host-finished",
            "host": data.get("host", ""),
            "task": data.get("task", ""),
            "status": status,
            "message": message_of(status, result, data),
            "diff": self.diffs.pop((data.get("host"), data.get("task_uuid")), ""),
            "seconds": data.get("duration") or 0,
        }


def recap_of(data):
    hosts = sorted(data.get("processed") or {})
    return {host: {name: (data.get(key) or {}).get(host, 0) for name, key in RECAP.items()} for host in hosts}


def message_of(status, result, data):
    if status in ("failed", "ignored", "unreachable"):
        return failure_of(result)
    # What a task of `fail` did not let fail, it only tells.
    if data.get("task_action", "").rpartition(".")[2] in ("debug", "fail") and status in ("ok", "changed"):
        return text_of(result.get("msg", ""))
    return ""


def failure_of(result):
    """The module's own words, or those of the items of its list; what the program said where the module says nothing."""
    if "censored" in result:
        return "The task hides its output (no_log)"
    results = result.get("results")
    items = [item for item in results if isinstance(item, dict) and item.get("failed")] if isinstance(results, list) else []
    if items:
        return "\n".join(item_failure(item) for item in items[:5])
    words = text_of(result.get("msg", ""))
    if words.strip().split("\n")[0] in UNTELLING or words.startswith("MODULE FAILURE"):
        told = (told_by(result.get(key) or "") for key in ("stderr", "module_stderr", "stdout", "module_stdout"))
        words = "\n".join([words] + next(filter(None, told), [])[-10:])
    return words.strip()


def told_by(output):
    """Its lines without what ssh says when it lets go of a terminal."""
    lines = text_of(output).strip().splitlines()
    return [line for line in lines if not (line.startswith("Shared connection to ") and line.rstrip().endswith(" closed."))]


def item_failure(item):
    label = item.get("_ansible_item_label", item.get("item", ""))
    return "%s: %s" % (text_of(label), failure_of(item))


def text_of(value):
    if isinstance(value, list):
        return "\n".join(text_of(each) for each in value)
    return value if isinstance(value, str) else str(value)
