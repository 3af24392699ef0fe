#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: etcd_space
short_description: Defragments the members of etcd, and clears the alarm that it has no space
version_added: 0.1.0
description:
  - Speaks with every member of etcd from one control plane, as kubeadm sets etcd up.
  - A member answers nobody while it is defragmented, so that is done with one after the other, the leader last, after it
    has handed the lead over, and only where all of them are healthy.
options:
  percent:
    description: How much of a member's file has to be free, in percent, before the member is defragmented.
    type: int
    default: 20
  disarm:
    description:
      - Whether the alarm C(NOSPACE), with which etcd takes no more writes, is cleared where it is raised. The history of all
        keys is compacted, every member is defragmented, and the alarm is disarmed if a tenth of the quota is free then.
    type: bool
    default: false
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
"""

EXAMPLES = r"""
- name: Defragment etcd
  playsmith.host.etcd_space:
    percent: 30

- name: Let an etcd that is full take writes again
  playsmith.host.etcd_space:
    disarm: true
"""

RETURN = r"""
done:
  description: What was changed, or would be in check mode, one line each, with sizes before and after.
  type: list
  elements: str
  returned: success
notices:
  description: What each member takes, and what is safe to do about an alarm, one line each.
  type: list
  elements: str
  returned: success
"""

import urllib.error

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils import etcd
from ansible_collections.playsmith.host.plugins.module_utils.host import first_match, read
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure, answer, patiently

MEGABYTE = 1 << 20
# Of less nobody has any use, and etcd fills it again within minutes.
LEAST = MEGABYTE
# What etcd takes where nobody says another quota.
QUOTA = 2 << 30


def ask(path, request, url, seconds=10):
    try:
        return etcd.ask(path, request, url=url, seconds=seconds)
    except urllib.error.HTTPError as error:
        raise Failure("etcd at %s says to %s: %s" % (url, path, error.read().decode(errors="replace"))) from error
    except (OSError, ValueError) as error:
        raise Failure("etcd at %s does not answer %s: %s" % (url, path, error)) from error


def url_of(member):
    return (member.get("clientURLs") or [""])[0]


def status(member):
    said = ask("/v3/maintenance/status", {}, url_of(member))
    size = int(said.get("dbSize", 0))
    return {
        "size": size,
        "used": int(said.get("dbSizeInUse", size)),
        "quota": int(said.get("dbSizeQuota", 0)) or quota(),
        "leads": said.get("leader") == said["header"]["member_id"],
        "revision": int(said["header"]["revision"]),
    }


def quota():
    """Before 3.6 a member does not tell it."""
    return int(first_match(r"--quota-backend-bytes=(\d+)", read(etcd.MANIFEST)) or 0) or QUOTA


def is_well(member):
    """Of an etcd that has no space left everything else is asked."""
    try:
        said = etcd.ask("/health?exclude=NOSPACE", url=url_of(member), seconds=8)
    except (OSError, ValueError):
        return False
    return str(said.get("health")) == "true"


def require_health(members):
    sick = [member.get("name") or "a member that never started" for member in members if not is_well(member)]
    if sick:
        says = "%s of etcd is not healthy, and no member is defragmented: npx task verify tells what is wrong there"
        raise Failure(says % " and ".join(sick))


def alarms(members):
    """The names of the members that have no space left; any other alarm is no matter of space."""
    names = {member["ID"]: member.get("name", "") for member in members}
    found = [(names.get(each.get("memberID"), ""), each.get("alarm")) for each in etcd.alarms()]
    corrupt = [name for name, alarm in found if alarm != "NOSPACE"]
    if corrupt:
        says = "the data of %s is not that of the other members of etcd, and nothing is defragmented: npx task heal-node %s"
        raise Failure(says % (" and ".join(corrupt), corrupt[0]))
    return [name for name, _ in found]


def megabytes(size):
    return "%.1f MB" % (size / MEGABYTE)


def is_worth(state, percent):
    free = state["size"] - state["used"]
    return free >= LEAST and free * 100 >= percent * state["size"]


def compact(members, dry):
    """Of every key the last value stays. It is compacted already where nothing was written since."""
    member = members[0]
    revision = max(status(each)["revision"] for each in members)
    if not dry:
        try:
            ask("/v3/kv/compaction", {"revision": str(revision), "physical": True}, url_of(member), seconds=300)
        except Failure as problem:
            if "has been compacted" not in str(problem):
                raise
    return ["compacted the history of etcd up to revision %d" % revision]


def hand_over(member, members):
    others = [each for each in members if each["ID"] != member["ID"]]
    if others and status(member)["leads"]:
        ask("/v3/maintenance/transfer-leadership", {"targetID": others[0]["ID"]}, url_of(member))


def defragment(member, members):
    require_health(members)
    hand_over(member, members)
    before = status(member)["size"]
    ask("/v3/maintenance/defragment", {}, url_of(member), seconds=900)
    if not patiently(120, lambda: is_well(member)):
        says = "%s of etcd is not healthy after it was defragmented, and no other member is touched: see its container's log"
        raise Failure(says % member["name"])
    return "defragmented %s: %s before, %s after" % (
        member["name"],
        megabytes(before),
        megabytes(status(member)["size"]),
    )


def would(state, name):
    gain = state["size"] - state["used"]
    return "defragment %s: %s of %s would be given back" % (name, megabytes(gain), megabytes(state["size"]))


def in_order(members):
    """The leader last."""
    return sorted(members, key=lambda member: status(member)["leads"])


def disarm(members, full, dry):
    if not dry:
        states = {member["name"]: status(member) for member in members}
        tight = [name for name, state in states.items() if state["used"] > 0.9 * state["quota"]]
        if tight:
            says = (
                "%s has no space left even now, so the alarm stays: give etcd more with quota-backend-bytes below "
                "installer.kubeadm.extraArguments.etcd, run npx task reconfigure, and this again"
            )
            raise Failure(says % " and ".join(tight))
        for member in members:
            if member["name"] in full:
                request = {"action": "DEACTIVATE", "memberID": member["ID"], "alarm": "NOSPACE"}
                ask("/v3/maintenance/alarm", request, url_of(member))
        if alarms(members):
            raise Failure("etcd raised the alarm NOSPACE again at once: somebody fills it")
    return ["disarmed the alarm NOSPACE of %s" % ", ".join(full)]


def told(members, full):
    lines = []
    for member in members:
        state = status(member)
        sizes = tuple(megabytes(state[each]) for each in ("size", "used", "quota"))
        lines.append("%s takes %s, of which %s are in use; its quota is %s" % (member["name"], *sizes))
    if full:
        lines.append(
            "etcd takes no more writes, %s has no space left: etcd_defragment_disarm=true compacts the history, "
            "defragments every member and disarms the alarm" % " and ".join(full)
        )
    return lines


def settle(given, dry):
    members = etcd.members()
    require_health(members)
    full = alarms(members)
    clears = bool(full) and given["disarm"]
    notices = told(members, [] if clears else full)
    done = compact(members, dry) if clears else []
    for member in in_order(members):
        state = status(member)
        if clears or is_worth(state, given["percent"]):
            done.append(would(state, member["name"]) if dry else defragment(member, members))
    done += disarm(members, full, dry) if clears else []
    return bool(done), done, {"notices": notices}


def main():
    module = AnsibleModule(
        argument_spec={"percent": {"type": "int", "default": 20}, "disarm": {"type": "bool", "default": False}},
        supports_check_mode=True,
    )
    answer(module, lambda: settle(module.params, module.check_mode))


if __name__ == "__main__":
    main()
