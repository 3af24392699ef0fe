#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: cnf_info
short_description: Says how a CNF is
version_added: 0.1.0
options:
  name:
    description: The name of the CNF.
    type: str
    required: true
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Read what a CNF has
  playsmith.host.cnf_info:
    name: web
"""

RETURN = r"""
told:
  description: Where it lives, each workload and claim, and why what is not ready is not.
  type: list
  elements: str
  returned: success
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.cnf_client import end, identity, title
from ansible_collections.playsmith.host.plugins.module_utils.cnf_reasons import reasons
from ansible_collections.playsmith.host.plugins.module_utils.cnf_record import inventory, read_record
from ansible_collections.playsmith.host.plugins.module_utils.cnf_wait import WORKLOADS, unready


def line_of(thing, there):
    """How an object is that is there; nothing of what is only there or not."""
    status, spec = there.get("status", {}), there.get("spec", {})
    if thing["kind"] == "Pod":
        return "%s: %s" % (title(thing), status.get("phase"))
    if thing["kind"] in WORKLOADS:
        ready = status.get("readyReplicas", status.get("numberReady", status.get("succeeded", 0)))
        return "%s: %d of %d" % (title(thing), ready, spec.get("replicas", status.get("desiredNumberScheduled", 1)))
    if thing["kind"] == "PersistentVolumeClaim":
        return "%s: %s %s" % (title(thing), status.get("phase"), spec.get("volumeName", ""))
    return ""


def lines_of(admin, record):
    objects = inventory(record)
    found = admin.found(objects)
    problems = unready(admin, [thing for thing in objects if identity(thing) in found], [])
    for thing in objects:
        there = found.get(identity(thing))
        line = "%s is not there" % title(thing) if there is None else line_of(thing, there)
        if line:
            yield line
    yield from reasons(admin, record["namespace"], problems) if problems else []


def look(admin, name):
    record = read_record(admin, name)
    if record is None:
        return [], ["%s: not instantiated" % name]
    state = "revision %d" % record["revision"] if record["revision"] else "never ready"
    half = ", with what a change that did not end may have left" if record["pending"] else ""
    says = "%s in the namespace %s, as the tenant %s%s"
    head = says % (state, record["namespace"], record["serviceAccount"], half)
    return [], ["%s: %s" % (name, each) for each in [head, *lines_of(admin, record)]]


def main():
    module = AnsibleModule(argument_spec={"name": {"type": "str", "required": True}}, supports_check_mode=True)
    end(module, lambda admin: look(admin, module.params["name"]))


if __name__ == "__main__":
    main()
