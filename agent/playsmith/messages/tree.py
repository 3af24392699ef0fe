"""What a run did, a play at a time: its tasks, and what became of each on each host. Times are nanoseconds since 1970."""
import datetime

from playsmith.history.story import STATUSES, Story

WRONG = ("failed", "unreachable")


def plays(events):
    """From the events of a run, from the first on. Only when a play is over is known when its tasks ended."""
    story, play, tasks = Story(), None, {}
    for event in events:
        data = event.get("event_data") or {}
        kind, at = event.get("event", ""), moment(event.get("created"))
        if kind == "playbook_on_play_start":
            yield from [play] * (play is not None)
            story.begun = ""
            play, tasks = dict(begun(data.get("play_uuid"), data.get("name"), at), tasks=[]), {}
        elif kind in ("playbook_on_task_start", "playbook_on_handler_task_start") and play and not story.again(data):
            key = data.get("task_uuid")
            more = {"action": data.get("task_action") or "", "handler": bool(data.get("is_conditional")), "hosts": []}
            tasks[key] = dict(begun(key, data.get("name") or data.get("task"), at), **more)
            play["tasks"].append(tasks[key])
        elif kind in STATUSES and data.get("task_uuid") in tasks:
            found = host(story.host(STATUSES[kind], data), data, at)
            tasks[data["task_uuid"]]["hosts"].append(found)
            for each in (tasks[data["task_uuid"]], play):
                each.update(end=max(each["end"], found["end"]), wrong=each["wrong"] or found["wrong"])
    yield from [play] * (play is not None)


def begun(key, name, at):
    return {"uuid": str(key or ""), "name": name or "", "start": at, "end": at, "wrong": False}


def host(told, data, at):
    end = max(moment(data.get("end")) or at, at)
    start = moment(data.get("start")) or end - int(told["seconds"] * 1e9)
    keys = {key: told[key] for key in ("host", "status", "message")}
    return dict(keys, start=min(start, end), end=end, wrong=told["status"] in WRONG)


def moment(text):
    """0 for what is no time. ansible-runner means UTC where it says nothing."""
    try:
        found = datetime.datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    except ValueError:
        return 0
    found = found if found.tzinfo else found.replace(tzinfo=datetime.timezone.utc)
    since = found - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    return ((since.days * 86400 + since.seconds) * 1000000 + since.microseconds) * 1000
