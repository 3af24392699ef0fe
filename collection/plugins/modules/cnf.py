#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: cnf
short_description: Brings a CNF to its namespace as its own tenant, changes it, or deletes it
version_added: 0.1.0
options:
  name:
    description: The name of the CNF.
    type: str
    required: true
  state:
    description:
      - V(present) applies it, and waits until it is ready. One that is there with other manifests is refused.
      - V(updated) applies what it is now, waits until that is ready, and then deletes what it is no longer.
      - V(absent) deletes what it has as its tenant, the last thing first; then tenant and bounds; then the namespace, where it was made for
        CNFs and is empty. It needs nothing but what was recorded when the CNF was instantiated.
    type: str
    choices: [present, updated, absent]
    default: present
  content:
    description:
      - What the CNF is made of, JSON in Base64, since a manifest may hold what Ansible would evaluate.
      - Unless O(state=absent), it is required.
    type: str
  prune:
    description: Whether V(updated) may delete what is no longer in the manifests; else it refuses to do anything.
    type: bool
    default: false
  rollback:
    description: Whether V(updated) goes back to the revision before, where it does not get ready.
    type: str
    choices: ["yes", "no", as-defined]
    default: as-defined
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
"""

EXAMPLES = r"""
- name: Apply a CNF as its tenant, and wait until it is ready
  playsmith.host.cnf:
    name: web
    content: "{{ lookup('file', 'files/cnf/web/cnf.json') | b64encode }}"

- name: Delete a CNF
  playsmith.host.cnf:
    name: web
    state: absent
"""

RETURN = r"""
done: {description: "What was changed, or would be in check mode, one line each.", type: list, elements: str, returned: success}
told: {description: "That, and how the CNF is now.", type: list, elements: str, returned: success}
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.cnf_client import (
    Refused,
    definition,
    delete,
    end,
    identity,
    tenant,
    title,
)
from ansible_collections.playsmith.host.plugins.module_utils.cnf_objects import (
    apply_frame,
    apply_objects,
    frame_with_mark,
    look,
    require_valid,
)
from ansible_collections.playsmith.host.plugins.module_utils.cnf_record import (
    digest_of,
    frame_of,
    inventory,
    levels_for,
    missing_from,
    read_record,
    require_namespace,
    required_record,
    with_levels,
    write_record,
)
from ansible_collections.playsmith.host.plugins.module_utils.cnf_removal import remove
from ansible_collections.playsmith.host.plugins.module_utils.cnf_wait import wait

NEW = {"revision": 0, "digest": "", "previous": [], "pending": [], "levels": {}, "objects": []}


def named(name, lines):
    return ["%s: %s" % (name, each) for each in lines]


def instantiate(admin, given, dry):
    name, cnf = given["name"], definition(given["content"])
    record = read_record(admin, name)
    if record is not None:
        require_namespace(record, cnf)
        if record["revision"] > 0 and record["digest"] != digest_of(cnf):
            says = "it is there with other manifests, as revision %d: npx task cnf-update %s"
            raise Refused(says % (record["revision"], name))
    objects = with_levels(cnf["objects"], levels_for(cnf, record))
    if dry:
        done = look(admin, cnf, objects)
        return done, named(name, done)
    done = apply_frame(admin, cnf)
    frame = {"namespace": cnf["namespace"], "serviceAccount": cnf["serviceAccount"], "frame": cnf["frame"]}
    begun = {**(record or NEW), **frame}
    if begun["revision"] == 0:
        # Written before anything is applied: what is left of an attempt that ends half-way is known.
        begun = dict(begun, objects=cnf["objects"], pending=inventory(begun))
    if begun != record:
        write_record(admin, name, begun)
    with tenant(admin, cnf["namespace"], cnf["serviceAccount"]) as client:
        done += apply_objects(client, objects, bool(done))
    wait(admin, cnf["namespace"], objects, cnf["wait"])
    left = missing_from(cnf["objects"], begun["pending"])
    ready = dict(begun, revision=max(1, begun["revision"]), digest=digest_of(cnf), pending=left)
    if ready != record:
        write_record(admin, name, ready)
    says = "%s is left of an earlier attempt: npx task cnf-update %s --prune"
    hints = [says % (title(each), name) for each in left]
    state = "ready in %s as revision %d" % (cnf["namespace"], ready["revision"])
    return done, named(name, [state, *done, *hints])


def go_back(admin, client, record, failed, cnf):
    """The revision before, as it was, with its rights and bounds; what only the failed one has is deleted."""
    objects = with_levels(record["objects"], record["levels"])
    bounds = apply_frame(admin, dict(cnf, frame=record["frame"]))
    bounds += delete(admin, missing_from(record["frame"], frame_of(cnf)), 60)
    apply_objects(client, objects, bool(bounds))
    delete(client, missing_from(objects, failed), 120)
    write_record(admin, cnf["name"], dict(record, pending=[], pendingFrame=[]))
    wait(admin, record["namespace"], objects, cnf["wait"])


def change(admin, cnf, record, rollback):
    """Applies and waits. With rollback, what does not get ready is reverted; either way it is refused with its causes."""
    objects = with_levels(cnf["objects"], levels_for(cnf, record))
    done = apply_frame(admin, cnf)
    with tenant(admin, cnf["namespace"], cnf["serviceAccount"]) as client:
        try:
            done += apply_objects(client, objects, bool(done))
            wait(admin, cnf["namespace"], objects, cnf["wait"])
        except Refused as refused:
            if not rollback:
                raise
            try:
                go_back(admin, client, record, objects, cnf)
            except Refused as again:
                says = "%s\nand revision %d does not get ready either: %s"
                raise Refused(says % (refused, record["revision"], again)) from again
            raise Refused("%s\nrevision %d is back, and ready" % (refused, record["revision"])) from refused
        done += delete(client, missing_from(cnf["objects"], inventory(record)), 120)
    return done


def update(admin, given, dry):
    name, cnf = given["name"], definition(given["content"])
    record = required_record(admin, name)
    require_namespace(record, cnf)
    if record["serviceAccount"] != cnf["serviceAccount"]:
        says = "its tenant is %s: another one takes a CNF over by terminate and instantiate"
        raise Refused(says % record["serviceAccount"])
    objects = with_levels(cnf["objects"], levels_for(cnf, record))
    require_valid(admin, name, frame_with_mark(admin, cnf)[0] + objects)
    gone = missing_from(cnf["objects"], inventory(record))
    there = admin.found(gone)
    gone = [thing for thing in gone if identity(thing) in there]
    frame = missing_from(cnf["frame"], frame_of(record))
    goes = [title(thing) for thing in gone + frame]
    if dry:
        done = look(admin, cnf, objects)
        done += ["would have deleted " + each for each in goes]
        return done, named(name, done)
    if goes and not given["prune"]:
        says = "these are no longer in the definition and would be deleted: %s. Nothing was changed; "
        way = "npx task cnf-update %s --prune (cnf_update_prune=yes) goes on"
        raise Refused(says % ", ".join(goes) + way % name)
    is_same = record["digest"] == digest_of(cnf)
    may = given["rollback"] == "yes" or (given["rollback"] == "as-defined" and cnf["rollback"])
    if not is_same:
        # What is to come may be left behind by a change that ends half-way.
        pending = inventory(dict(record, objects=record["pending"], pending=cnf["objects"]))
        bounds = frame_of({"frame": record.get("pendingFrame", []), "pendingFrame": cnf["frame"]})
        write_record(admin, name, dict(record, pending=pending, pendingFrame=bounds))
    done = change(admin, cnf, record, may and record["revision"] > 0 and not is_same) + delete(admin, frame, 60)
    revision = record["revision"] + (0 if is_same else 1)
    previous = record["previous"] if is_same else record["objects"]
    ready = dict(
        record,
        frame=cnf["frame"],
        objects=cnf["objects"],
        previous=previous,
        pending=[],
        pendingFrame=[],
        revision=revision,
    )
    ready.update(digest=digest_of(cnf), levels=levels_for(cnf, record))
    if ready != record:
        write_record(admin, name, ready)
    return done, named(name, ["ready in %s as revision %d" % (cnf["namespace"], revision), *done])


STATES = {"present": instantiate, "updated": update, "absent": remove}


def main():
    module = AnsibleModule(
        argument_spec={
            "name": {"type": "str", "required": True},
            "state": {"type": "str", "choices": list(STATES), "default": "present"},
            "content": {"type": "str", "no_log": True},
            "prune": {"type": "bool", "default": False},
            "rollback": {"type": "str", "choices": ["yes", "no", "as-defined"], "default": "as-defined"},
        },
        required_if=[("state", "present", ["content"]), ("state", "updated", ["content"])],
        supports_check_mode=True,
    )
    end(module, lambda admin: STATES[module.params["state"]](admin, module.params, module.check_mode))


if __name__ == "__main__":
    main()
