#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: drill_preflight
short_description: Says what speaks against a drill, or whether the cluster is whole again after it, from a control plane
version_added: 0.1.0
options:
  drill:
    description: Which drill it is.
    type: str
    choices: [vip, control-plane, worker, storage]
    required: true
  state:
    description: V(before) fails for what speaks against the drill. V(after) waits until the cluster is whole, and fails for nothing.
    type: str
    choices: [before, after]
    default: before
  host:
    description: The node that the drill is about, if it is about one.
    type: str
    default: ""
  seconds:
    description: How long V(after) waits.
    type: float
    default: 0
  control_planes:
    description: The address of each control plane. Without any, Kubernetes is somebody else's, and only the window is looked at.
    type: dict
    default: {}
  workers:
    description: All workers.
    type: list
    elements: str
    default: []
  port:
    description: The port of the API servers.
    type: int
    default: 6443
  opens:
    description: When the maintenance window opens, C(HH:MM) in UTC; empty, where there is none.
    type: str
    default: ""
  closes:
    description: When it closes.
    type: str
    default: ""
  days:
    description: Days on which it opens, from 0 for Monday; every day, where there is none.
    type: list
    elements: int
    default: []
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Refuse a drill that the cluster would not survive
  playsmith.host.drill_preflight:
    drill: worker
    host: worker02
    control_planes: {master01: 192.0.2.11}
    workers: [worker01, worker02]
"""

RETURN = r"""
problems:
  description: What speaks against the drill, or what of the cluster is not whole yet.
  type: list
  elements: str
  returned: always
seconds: {description: How long it took., type: float, returned: always}
"""

import datetime
import time

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils import etcd
from ansible_collections.playsmith.host.plugins.module_utils.control_plane import api_answers
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure, bracketed, is_ready
from ansible_collections.playsmith.host.plugins.module_utils.live_cluster import (
    items,
    moving_pods,
    protecting,
    strict_budgets,
)


def of_window(given, now=None):
    """The window that opened the day before may still be open."""
    opens, closes, days = given["opens"], given["closes"], given["days"]
    if not opens:
        return []
    now = now or datetime.datetime.now(datetime.timezone.utc)
    clock, day = now.strftime("%H:%M"), now.weekday()
    over = opens >= closes
    if over and clock < closes:
        is_open, day = True, (day - 1) % 7
    else:
        is_open = clock >= opens and (over or clock < closes)
    if is_open and (not days or day in days):
        return []
    return ["it is %s UTC on %s, outside of the maintenance window of the definition" % (clock, now.strftime("%A"))]


def of_nodes(given):
    nodes = {node["metadata"]["name"]: node for node in items("nodes")}
    known = sorted(nodes.items())
    missing = [name for name in [*given["control_planes"], *given["workers"]] if name not in nodes]
    cordoned = [name for name, node in known if node["spec"].get("unschedulable")]
    return [
        *("%s is no node of the cluster" % name for name in missing),
        *("%s is not ready" % name for name, node in known if not is_ready(node)),
        *("%s takes no pods (it is cordoned)" % name for name in cordoned),
    ]


def of_members():
    try:
        members = etcd.members()
    except Failure as problem:
        return [str(problem)]
    sick = [member.get("name") or "one that never started" for member in members if not etcd.is_healthy(member)]
    return ["%s of etcd is sick" % ", ".join(sick)] if sick else []


def of_servers(given):
    for name, address in given["control_planes"].items():
        if not api_answers("https://%s:%d" % (bracketed(address), given["port"])):
            yield "the API server of %s is not ready" % name


def of_cluster(given):
    """What of it is not whole."""
    if not given["control_planes"]:
        return []
    return [*of_nodes(given), *of_members(), *of_servers(given)]


def of_loss(given):
    """What the cluster would not survive without the host."""
    host, heads, workers = given["host"], given["control_planes"], given["workers"]
    if given["drill"] == "control-plane":
        if host not in heads:
            return ["%s is no control plane" % host]
        return [] if len(heads) > 2 else ["etcd of %d members survives the loss of none" % len(heads)]
    if given["drill"] != "worker":
        return []
    if host not in workers or host in heads:
        return ["%s is no worker" % host]
    alone = [] if len(workers) > 1 else ["there is no other worker that would take its pods"]
    return alone + list(of_budgets(host))


def of_budgets(host):
    budgets = strict_budgets()
    for pod in moving_pods([host]):
        whose = "%s/%s" % (pod["metadata"]["namespace"], pod["metadata"]["name"])
        yield from ("the disruption budget %s protects %s" % (budget, whose) for budget in protecting(pod, budgets))


def problems_of(given, *checks):
    """An API that does not answer within a minute is the only problem that there is to see."""
    try:
        return [problem for check in checks for problem in check(given)]
    except Failure as problem:
        return [str(problem)]


def before(given):
    return problems_of(given, of_cluster, of_window, of_loss)


def after(given):
    end = time.monotonic() + given["seconds"]
    while True:
        problems = problems_of(given, of_cluster)
        if not problems or time.monotonic() >= end:
            return problems
        time.sleep(1)


def main():
    module = AnsibleModule(
        argument_spec={
            "drill": {"type": "str", "choices": ["vip", "control-plane", "worker", "storage"], "required": True},
            "state": {"type": "str", "choices": ["before", "after"], "default": "before"},
            "host": {"type": "str", "default": ""},
            "seconds": {"type": "float", "default": 0},
            "control_planes": {"type": "dict", "default": {}},
            "workers": {"type": "list", "elements": "str", "default": []},
            "port": {"type": "int", "default": 6443},
            "opens": {"type": "str", "default": ""},
            "closes": {"type": "str", "default": ""},
            "days": {"type": "list", "elements": "int", "default": []},
        },
        supports_check_mode=True,
    )
    began, given = time.monotonic(), module.params
    problems = before(given) if given["state"] == "before" else after(given)
    found = {"problems": problems, "seconds": round(time.monotonic() - began, 1)}
    if problems and given["state"] == "before":
        module.fail_json(msg="; ".join(problems), **found)
    module.exit_json(changed=False, **found)


if __name__ == "__main__":
    main()
