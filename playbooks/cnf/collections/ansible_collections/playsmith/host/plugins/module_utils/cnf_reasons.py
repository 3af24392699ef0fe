"""Why objects of a CNF are not ready: pods, events, logs."""

from __future__ import annotations

from ansible_collections.playsmith.host.plugins.module_utils.cnf_client import plain, title


def condition(thing, kind):
    found = [each for each in thing.get("status", {}).get("conditions") or [] if each["type"] == kind]
    return found[0] if found else {}


def holds(thing, kind):
    return condition(thing, kind).get("status") == "True"


def reasons(admin, namespace, problems):
    """Each problem with what is below it: pods that are not ready, the last events, the last lines of their logs."""
    kinds = "pods,replicasets.apps,jobs.batch,persistentvolumeclaims"
    things = admin.objects("get", kinds, "--namespace=" + namespace)
    events = admin.objects("get", "events", "--namespace=" + namespace)
    for thing, why, _ in problems:
        yield "%s in %s: %s" % (title(thing), namespace, why)
        below = descendants(thing, things)
        pods = [each for each in below if each["kind"] == "Pod" and pod_problem(each)]
        claims = [each for each in things if each["kind"] == "PersistentVolumeClaim" and is_claimed(each, pods)]
        for pod in pods[:3]:
            yield "  pod %s%s: %s" % (pod["metadata"]["name"], on_node(pod), pod_problem(pod))
        if len(pods) > 3:
            yield "  and %d more pods" % (len(pods) - 3)
        for line in last_events([thing, *below, *claims], events):
            yield "  " + line
        for line in log_lines(admin, namespace, pods):
            yield "  " + line


def descendants(thing, things):
    """What an object made, and what that made; the object itself where it is a pod."""
    uids, found = {thing["metadata"].get("uid")}, [thing] if thing["kind"] == "Pod" else []
    grown = True
    while grown:
        fresh = [each for each in things if each not in found and uids & owners(each)]
        found += fresh
        uids |= {each["metadata"]["uid"] for each in fresh}
        grown = bool(fresh)
    return found


def owners(thing):
    return {reference["uid"] for reference in thing["metadata"].get("ownerReferences") or []}


def is_claimed(claim, pods):
    volumes = [volume for pod in pods for volume in pod["spec"].get("volumes") or []]
    names = [(volume.get("persistentVolumeClaim") or {}).get("claimName") for volume in volumes]
    return claim["metadata"]["name"] in names and claim["status"].get("phase") != "Bound"


def on_node(pod):
    node = pod["spec"].get("nodeName")
    return " on " + node if node else ", which has no node,"


def containers(pod):
    status = pod.get("status", {})
    return (status.get("initContainerStatuses") or []) + (status.get("containerStatuses") or [])


def pod_problem(pod):
    """Why a pod is not ready, in words of its containers or of the scheduler; nothing when it is."""
    status = pod.get("status", {})
    if status.get("phase") == "Succeeded" or holds(pod, "Ready"):
        return ""
    said = []
    for each in containers(pod):
        state = each.get("state", {})
        waiting, over = state.get("waiting") or {}, state.get("terminated") or {}
        last = each.get("lastState", {}).get("terminated") or {}
        if waiting.get("reason") not in (None, "PodInitializing", "ContainerCreating"):
            said.append("container %s: %s %s" % (each["name"], waiting["reason"], plain(waiting.get("message", ""))))
        ended = over or last
        if ended.get("exitCode"):
            why = ended.get("reason", "Error")
            said.append("container %s ended with status %d (%s)" % (each["name"], ended["exitCode"], why))
        if state.get("running") and not each.get("ready"):
            said.append("container %s runs and is not ready" % each["name"])
    scheduled = condition(pod, "PodScheduled")
    if scheduled.get("status") == "False":
        said.append("%s: %s" % (scheduled.get("reason", "Unschedulable"), plain(scheduled.get("message", ""))))
    return "; ".join(said) or plain("it is %s %s" % (status.get("phase", "Pending"), status.get("message", "")))


def moment(event):
    return event.get("lastTimestamp") or event.get("eventTime") or event["metadata"].get("creationTimestamp") or ""


def last_events(things, events):
    """The last warnings about these objects, each once; anything that was said where nobody warned."""
    names = {(thing["kind"], thing["metadata"]["name"]) for thing in things}
    whose = [(event["involvedObject"].get("kind"), event["involvedObject"].get("name")) for event in events]
    about = [event for event, name in zip(events, whose) if name in names]
    chosen = [each for each in about if each.get("type") == "Warning"] or about
    lines = []
    for event in sorted(chosen, key=moment):
        whom, said = event["involvedObject"], plain(event.get("message", ""))
        line = "event %s of %s %s: %s" % (event.get("reason", ""), whom["kind"], whom["name"], said)
        lines = [*(each for each in lines if each != line), line]
    return lines[-4:]


def log_lines(admin, namespace, pods):
    """The last lines of containers that ended or do not get ready."""
    for pod in pods[:2]:
        name = pod["metadata"]["name"]
        for each in containers(pod):
            state = each.get("state", {})
            before = each.get("restartCount", 0) > 0 and not state.get("terminated")
            if each.get("ready") or not (before or state.get("running") or state.get("terminated")):
                continue
            words = ["logs", name, "--namespace=" + namespace, "--container=" + each["name"], "--tail=5"]
            done = admin.call(*words, *(["--previous"] if before else []))
            for line in done.stdout.splitlines() if done.returncode == 0 else []:
                yield "log of %s/%s: %s" % (name, each["name"], plain(line))
