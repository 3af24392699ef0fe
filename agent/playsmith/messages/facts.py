"""What a message says of a run. Words of hosts and receivers' markup are strangers to each other: nothing of the one is read as the other."""
import unicodedata

from playsmith.history import record

FAILURES, LONGEST = 5, 300


def of_run(request, found):
    """`request` began the run, `found` is its record."""
    recap = found.get("recap") or {}
    status = record.status_of(found)
    keys = {key: found.get(key) for key in ("cluster", "run", "started", "ended", "seconds", "digest")}
    return dict(
        keys, version=1, playbook=found["playbook"], status=status, result=result_of(status, request, found),
        check=bool(found["options"].get("check")), operator=line(found["meta"]["operator"]), hosts=len(recap),
        differing=differing(recap) if is_drift(request) else [],
        wrong=sorted(host for host, each in recap.items() if each["failed"] or each["unreachable"]),
        failures=[
            {"host": each["host"], "task": line(each["task"]), "message": line(each["message"])}
            for each in (found.get("failures") or [])[:FAILURES]
        ],
    )


def of_job(cluster, job, outcome):
    """Of a job at a set time that could not begin its run."""
    failure = {"host": "the Ansible server", "task": job, "message": line(outcome["message"])}
    times = {"started": outcome["began"], "ended": outcome["ended"], "seconds": None}
    return dict(
        times, version=1, cluster=cluster, run="", digest="", playbook=job, status=outcome["status"], result="failed", check=False,
        operator="the schedule", hosts=0, differing=[], wrong=[], failures=[failure],
    )


def differing(recap):
    """Hosts of a comparison that are not as the bundle says."""
    return sorted(host for host, each in recap.items() if each["changed"])


def is_drift(request):
    return bool((request.get("messages") or {}).get("drift"))


def result_of(status, request, found):
    """One of the words by which a definition chooses."""
    if status == "canceled":
        return "cancelled"
    if status != "successful":
        return "failed"
    if is_drift(request) and differing(found.get("recap") or {}):
        return "drifted"
    return "slow" if is_slow(found.get("results") or {}) else "successful"


def went_well(facts):
    """Whether the run itself did: what it found out may be worth a message all the same."""
    return facts["result"] in ("successful", "drifted", "slow")


def is_slow(results):
    """A drill whose clients waited longer than the definition allows."""
    drill = results.get("drill")
    if not isinstance(drill, dict) or not is_number(drill.get("limit")) or not drill["limit"] or not isinstance(drill.get("rounds"), dict):
        return False
    longest = [each.get("longest") for each in drill["rounds"].values() if isinstance(each, dict)]
    return any(each > drill["limit"] for each in longest if is_number(each))


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def line(text):
    """One line that no terminal, mail or page obeys, cut where it is too long."""
    plain = "".join(" " if unicodedata.category(each)[0] in "CZ" else each for each in str(text))
    plain = " ".join(plain.split())
    return plain if len(plain) <= LONGEST else plain[:LONGEST - 1] + "…"


def title(facts):
    return "%s: %s %s" % (facts["cluster"], facts["playbook"].removesuffix(".yml"), facts["result"])


def lines(facts):
    found = []
    if facts["differing"]:
        found.append("differ from the bundle: " + shortened(facts["differing"]))
    if facts["wrong"]:
        found.append("failed or did not answer: " + shortened(facts["wrong"]))
    found += ["%s, %s: %s" % (each["host"], each["task"], each["message"]) for each in facts["failures"]]
    if facts["run"]:
        found.append("run %s by %s, %s s" % (facts["run"], facts["operator"], facts["seconds"]))
    return found


def shortened(hosts):
    return ", ".join(hosts[:10]) + (" and %d more" % (len(hosts) - 10) if len(hosts) > 10 else "")
