#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: cnf_scale
short_description: Gives an aspect of a CNF another number of replicas, and waits until they are ready
version_added: 0.1.0
options:
  name:
    description: The name of the CNF.
    type: str
    required: true
  content:
    description: What the CNF is made of, JSON in Base64, since a manifest may hold what Ansible would evaluate.
    type: str
    required: true
  aspect:
    description: The aspect, one of C(scaling) of the definition.
    type: str
    required: true
  by:
    description: Whether O(number) is steps more, steps fewer, or steps above the minimum.
    type: str
    choices: [out, in, level]
    required: true
  number:
    description: How many steps.
    type: int
    required: true
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
"""

EXAMPLES = r"""
- name: Scale out by a step
  playsmith.host.cnf_scale:
    name: web
    content: "{{ lookup('file', 'files/cnf/web/cnf.json') | b64encode }}"
    aspect: web
    by: out
    number: 1
"""

RETURN = r"""
done: {description: "What was changed, or would be in check mode, one line each.", type: list, elements: str, returned: success}
told: {description: How many replicas there were and are., type: list, elements: str, returned: success}
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.cnf_client import Refused, definition, end, tenant
from ansible_collections.playsmith.host.plugins.module_utils.cnf_objects import apply_objects
from ansible_collections.playsmith.host.plugins.module_utils.cnf_record import (
    required_record,
    with_levels,
    write_record,
)
from ansible_collections.playsmith.host.plugins.module_utils.cnf_wait import wait


def wanted_replicas(aspect, current, by, number):
    """A level counts steps from the minimum; out and in count from what there is."""
    start = aspect["minimum"] if by == "level" else current
    wanted = start + (-number if by == "in" else number) * aspect["step"]
    if not aspect["minimum"] <= wanted <= aspect["maximum"]:
        says = "%s %s has %d replicas and would have %d; the aspect %s goes from %d to %d by %d"
        bounds = (aspect["aspect"], aspect["minimum"], aspect["maximum"], aspect["step"])
        raise Refused(says % (aspect["kind"], aspect["name"], current, wanted, *bounds))
    return wanted


def scale(admin, given, dry):
    name, cnf = given["name"], definition(given["content"])
    record = required_record(admin, name)
    if record["revision"] == 0:
        raise Refused("it was never ready: npx task cnf-instantiate %s" % name)
    aspect = next(each for each in cnf["scaling"] if each["aspect"] == given["aspect"])
    key, called = "%s/%s" % (aspect["kind"], aspect["name"]), "%s %s" % (aspect["kind"], aspect["name"])
    # What was applied, not what the definition says today: cnf-update brings that.
    targets = [thing for thing in record["objects"] if "%s/%s" % (thing["kind"], thing["metadata"]["name"]) == key]
    if not targets:
        raise Refused("what is there has no %s yet: npx task cnf-update %s" % (called, name))
    there = admin.found(targets)
    if not there:
        raise Refused("%s is not there: npx task cnf-heal %s" % (called, name))
    current = next(iter(there.values()))["spec"].get("replicas", 1)
    wanted = wanted_replicas(aspect, current, given["by"], given["number"])
    says = "%s: %s has %d replicas, and %s %d"
    told = [says % (name, called, current, "would have" if dry else "now", wanted)]
    if dry:
        return (["would have changed " + called] if wanted != current else []), told
    levels = dict(record["levels"], **{key: wanted})
    objects = with_levels(targets, levels)
    if levels != record["levels"]:
        write_record(admin, name, dict(record, levels=levels))
    done = []
    if wanted != current:
        with tenant(admin, record["namespace"], record["serviceAccount"]) as client:
            done = apply_objects(client, objects, False)
    wait(admin, record["namespace"], objects, dict(cnf["wait"], conditions=[]))
    return done, told


def main():
    module = AnsibleModule(
        argument_spec={
            "name": {"type": "str", "required": True},
            "content": {"type": "str", "required": True, "no_log": True},
            "aspect": {"type": "str", "required": True},
            "by": {"type": "str", "choices": ["out", "in", "level"], "required": True},
            "number": {"type": "int", "required": True},
        },
        supports_check_mode=True,
    )
    end(module, lambda admin: scale(admin, module.params, module.check_mode))


if __name__ == "__main__":
    main()
