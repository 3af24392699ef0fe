#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: kubeadm_invitations
short_description: Invites machines to join a cluster, and takes that back
version_added: 0.1.0
description:
  - An invitation is over within half an hour. What the cluster still knows of a machine with that name or address is forgotten first.
  - With O(state=absent) deletes bootstrap tokens by their description, those that an interrupted run left behind as well.
options:
  state:
    description: Whether there is an invitation.
    type: str
    choices: [present, absent]
    default: present
  description:
    description: What tells the tokens from those of others; with O(state=absent) how that begins.
    type: str
    required: true
  joining:
    description: The address of each machine that joins, by its name. None of them is part of the cluster.
    type: dict
    default: {}
  control_plane:
    description: Whether they join as control planes, which want certificates, and members of etcd that are forgotten.
    type: bool
    default: false
  config:
    description: The file of kubeadm's ClusterConfiguration, with O(control_plane).
    type: path
    default: ""
author: Playsmith
attributes:
  check_mode:
    support: partial
    details: Nothing is looked for with O(state=absent).
  diff_mode: {support: full}
"""

EXAMPLES = r"""
- name: Invite a worker
  playsmith.host.kubeadm_invitations:
    description: playsmith-workers
    joining:
      worker03: 192.0.2.23
"""

RETURN = r"""
invitation:
  description: The C(token), the digest of the C(authority), and with O(control_plane) the C(certificate_key). It is secret.
  type: dict
  returned: with O(state=present), not in check mode
done: {description: "What was deleted, one line each.", type: list, elements: str, returned: success}
"""

import base64
import re

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils import etcd, kubernetes

SYSTEM = ("--namespace", "kube-system")


def is_meant(secret, given):
    says = base64.b64decode((secret.get("data") or {}).get("description", "")).decode(errors="replace")
    uploaded = secret["metadata"]["name"] == "kubeadm-certs" or says.startswith("Proxy for managing TTL for ")
    return says.startswith(given["description"]) or (given["control_plane"] and uploaded)


def found(pattern, text):
    match = re.search(pattern, text)
    if match is None:
        raise kubernetes.Failure("kubeadm printed nothing that looks like " + pattern)
    return match.group(1)


def forget(joining, is_head):
    peers = {"https://%s:2380" % kubernetes.bracketed(address) for address in joining.values()}
    for member in etcd.members() if is_head else []:
        if peers & set(member.get("peerURLs", [])):
            etcd.remove(member)
    # The endpoint may still lead to an API server whose etcd has just been told to go.
    kubernetes.again(60, lambda: kubernetes.kubectl("delete", "node", "--ignore-not-found", "--wait=false", *joining))


def invite(given, dry):
    if dry or not given["joining"]:
        return bool(given["joining"]), [], {}
    forget(given["joining"], given["control_plane"])
    invitation = {}
    if given["control_plane"]:
        upload = ("kubeadm", "init", "phase", "upload-certs", "--upload-certs", "--config", given["config"])
        printed = kubernetes.again(60, lambda: kubernetes.run(*upload))
        invitation["certificate_key"] = found(r"(?m)^([0-9a-f]{64})$", printed)
    words = ("--ttl", "30m", "--description", given["description"], "--print-join-command")
    line = kubernetes.again(60, lambda: kubernetes.run("kubeadm", "token", "create", *words))
    invitation["token"] = found(r"--token (\S+)", line)
    invitation["authority"] = found(r"--discovery-token-ca-cert-hash (\S+)", line)
    return True, [], {"invitation": invitation}


def take_back(given, dry):
    if dry:
        return False, [], {}
    names = [each["metadata"]["name"] for each in kubernetes.get("secrets", *SYSTEM)["items"] if is_meant(each, given)]
    if names:
        kubernetes.kubectl("delete", "secret", *names, *SYSTEM, "--ignore-not-found")
    return bool(names), ["deleted the Secret %s" % name for name in names], {}


def main():
    module = AnsibleModule(
        argument_spec={
            "description": {"type": "str", "required": True},
            "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
            "joining": {"type": "dict", "default": {}},
            "control_plane": {"type": "bool", "default": False},
            "config": {"type": "path", "default": ""},
        },
        supports_check_mode=True,
    )
    given, dry = module.params, module.check_mode
    if given["state"] == "present":
        kubernetes.answer(module, lambda: invite(given, dry))
    # The API may stall for a moment while etcd takes a new member in.
    kubernetes.answer(module, lambda: kubernetes.again(60, lambda: take_back(given, dry)))


if __name__ == "__main__":
    main()
