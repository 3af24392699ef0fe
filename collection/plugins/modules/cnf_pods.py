#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: cnf_pods
short_description: Recreates pods of a CNF, or all its workloads, and waits until they are ready
version_added: 0.1.0
description:
  - Claims, Services and the rest stay as they are.
options:
  name:
    description: The name of the CNF.
    type: str
    required: true
  content:
    description: What the CNF is made of, JSON in Base64, since a manifest may hold what Ansible would evaluate.
    type: str
    required: true
  pods:
    description: Names of pods; all workloads, where there is none.
    type: list
    elements: str
    default: []
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
"""

EXAMPLES = r"""
- name: Recreate a pod
  playsmith.host.cnf_pods:
    name: web
    content: "{{ lookup('file', 'files/cnf/web/cnf.json') | b64encode }}"
    pods: [web-0]
"""

RETURN = r"""
done: {description: "What was changed, or would be in check mode, one line each.", type: list, elements: str, returned: success}
told: {description: "That, and what was gone already.", type: list, elements: str, returned: success}
"""

import time

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.cnf_client import (
    Refused,
    definition,
    delete,
    end,
    tenant,
    title,
)
from ansible_collections.playsmith.host.plugins.module_utils.cnf_objects import apply_objects
from ansible_collections.playsmith.host.plugins.module_utils.cnf_reasons import descendants
from ansible_collections.playsmith.host.plugins.module_utils.cnf_record import required_record, with_levels
from ansible_collections.playsmith.host.plugins.module_utils.cnf_wait import WORKLOADS, wait


def pods_of(admin, namespace, workloads):
    """Every pod that the workloads made, or are."""
    things = admin.objects("get", "pods,replicasets.apps,jobs.batch", "--namespace=" + namespace)
    there = admin.found(workloads).values()
    found = [each for thing in there for each in descendants(thing, things)]
    return {each["metadata"]["name"]: each for each in found if each["kind"] == "Pod"}


def refuse_foreign(admin, namespace, names, pods):
    listed = admin.objects("get", "pods", "--namespace=" + namespace) if names else []
    foreign = [each["metadata"]["name"] for each in listed if each["metadata"]["name"] in names]
    if foreign:
        own = ", ".join(sorted(pods)) or "none"
        raise Refused("%s: no pods of this CNF, which has %s" % (", ".join(foreign), own))


def wait_for_end(admin, namespace, uids, seconds):
    end_of_patience = time.monotonic() + seconds
    while True:
        pods = admin.objects("get", "pods", "--namespace=" + namespace)
        left = [each["metadata"]["name"] for each in pods if each["metadata"]["uid"] in uids]
        if not left:
            return
        if time.monotonic() > end_of_patience:
            raise Refused("pods do not end: %s; is their node healthy?" % ", ".join(left))
        time.sleep(1)


def delete_pods(client, namespace, pods):
    for pod in pods:
        words = ("pod", pod["metadata"]["name"], "--namespace=" + namespace, "--ignore-not-found", "--wait=false")
        client.said("delete", *words)
    return ["deleted " + title(pod) for pod in pods]


def heal(admin, given, dry):
    name, cnf, wanted = given["name"], definition(given["content"]), [each for each in given["pods"] if each]
    record = required_record(admin, name)
    namespace, objects = record["namespace"], with_levels(record["objects"], record["levels"])
    workloads = [thing for thing in objects if thing["kind"] in WORKLOADS]
    pods = pods_of(admin, namespace, workloads)
    refuse_foreign(admin, namespace, [each for each in wanted if each not in pods], pods)
    gone = ["pod %s is gone already" % each for each in wanted if each not in pods]
    meant = [pods[each] for each in wanted if each in pods]
    recreated = meant if wanted else list(reversed(workloads))
    if dry:
        done = ["would recreate " + title(thing) for thing in recreated]
        return done, ["%s: %s" % (name, each) for each in done + gone]
    with tenant(admin, namespace, record["serviceAccount"]) as client:
        seconds = cnf["wait"]["seconds"]
        done = delete_pods(client, namespace, meant) if wanted else delete(client, recreated, seconds)
        uids = {thing["metadata"]["uid"] for thing in (meant if wanted else pods.values())}
        wait_for_end(admin, namespace, uids, seconds)
        # Pods that nobody else makes again, and anything that somebody took away.
        done += apply_objects(client, objects, False)
    # Controllers take a moment to notice that a pod is gone.
    time.sleep(2)
    wait(admin, namespace, objects, cnf["wait"])
    return done, ["%s: %s" % (name, each) for each in ["ready in %s" % namespace, *done, *gone]]


def main():
    module = AnsibleModule(
        argument_spec={
            "name": {"type": "str", "required": True},
            "content": {"type": "str", "required": True, "no_log": True},
            "pods": {"type": "list", "elements": "str", "default": []},
        },
        supports_check_mode=True,
    )
    end(module, lambda admin: heal(admin, module.params, module.check_mode))


if __name__ == "__main__":
    main()
