"""What whoever wants a lock is told of whoever has it."""
from playsmith.fault import Fault


def held(cluster, holder):
    if holder is None:
        return Fault("locked", "The lock of %s was released at this moment" % cluster, next="Try again")
    if "process" not in holder:
        message = "The lock of %s is damaged: who holds it, and whether that goes on, cannot be read" % cluster
        return Fault("locked", message, next="See whether a run goes on with `npx task runs`; only if none does: `npx task unlock --force`")
    who = "%s since %s, for %s (run %s)" % tuple(holder.get(key, "unknown") for key in ("who", "since", "what", "run"))
    if holder.get("fence") and not holder.get("run"):
        return between(cluster, holder)
    if holder["alive"] is False:
        message = "The lock of %s is stale: %s held it, and its process %s ended without releasing it (a reboot, or a kill)"
        logs = "See what it did with `npx task logs %s`, then `npx task unlock`" % holder["run"] if holder.get("run") else ""
        step = logs or "Free it with `npx task unlock`"
        return Fault("locked", message % (cluster, who, holder.get("process", {}).get("pid", "")), next=step)
    where = "" if holder["alive"] else ", on the machine %s, which this one cannot look into" % holder["process"].get("host", "unknown")
    if not holder.get("run"):
        return Fault("locked", "%s is locked by %s%s" % (cluster, who, where), next="Wait for its end")
    step = "Follow it with `npx task attach %s`, or end it with `npx task cancel %s`" % ((holder.get("run", ""),) * 2)
    return Fault("locked", "%s is locked by %s%s" % (cluster, who, where), next=step)


def between(cluster, holder):
    """No run holds it, but an apply whose next step has not begun."""
    who = "%s since %s, for %s" % tuple(holder.get(key, "unknown") for key in ("who", "since", "what"))
    if holder["alive"] is False:
        message = "The lock of %s is stale: %s held it and is gone, between two steps" % (cluster, who)
        return Fault("locked", message, next="Take it up with `npx task resume`, or free it with `npx task unlock`")
    return Fault("locked", "%s is locked by %s, between two steps" % (cluster, who), next="Wait for its end")
