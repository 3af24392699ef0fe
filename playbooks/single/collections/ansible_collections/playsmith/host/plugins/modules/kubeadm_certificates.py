#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: kubeadm_certificates
short_description: Reads when the certificates of a control plane expire, and renews them
version_added: 0.1.0
description:
  - Renews every certificate when one is due, then restarts what still uses the old ones, etcd first. What an interrupted run
    left undone is recognised by its age.
  - The certificate of the kubelet is not among them; it renews that itself.
options:
  state:
    description: V(read) changes nothing.
    type: str
    choices: [read, renewed]
    default: read
  days:
    description: A certificate is due when it expires in fewer days.
    type: int
    default: 30
  expired:
    description:
      - Whether certificates of another control plane have expired. No member can wait for the others then; they answer when
        the last one has new ones.
    type: bool
    default: false
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
"""

EXAMPLES = r"""
- name: Renew certificates that expire within two months
  playsmith.host.kubeadm_certificates:
    state: renewed
    days: 60
"""

RETURN = r"""
certificates:
  description:
    - One line for each certificate, which is C(due), C(good), signed by somebody C(external), or that of an C(authority),
      which kubeadm does not renew; and C(stale) for each component that still uses what a certificate was before.
  type: list
  elements: str
  returned: success
expired: {description: Whether one of them has expired., type: bool, returned: success}
done: {description: "What was changed, or would be in check mode, one line each.", type: list, elements: str, returned: success}
"""

import datetime
import os
import re
import time

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils import control_plane, etcd
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import answer, run, wait

ROOT = "/etc/kubernetes/"
# The configuration that was reviewed spares kubeadm a question to an API that may be down.
CONFIGURATION = ROOT + "playsmith/kubeadm.yaml"
# What each component reads once, when it starts.
READS = {
    "etcd": ["pki/etcd/server.crt", "pki/etcd/peer.crt"],
    "kube-apiserver": [
        *("pki/apiserver.crt", "pki/apiserver-etcd-client.crt"),
        *("pki/apiserver-kubelet-client.crt", "pki/front-proxy-client.crt"),
    ],
    "kube-controller-manager": ["controller-manager.conf"],
    "kube-scheduler": ["scheduler.conf"],
}
LINE = re.compile(r"^([a-z][a-z0-9./-]*) +([A-Z][a-z]{2} \d{2}, \d{4} \d{2}:\d{2}) [A-Z]+ .* (yes|no) *$")


def kubeadm(*words):
    given = ["--config", CONFIGURATION] if os.path.isfile(CONFIGURATION) else []
    return run("kubeadm", "certs", *words, *given)


def seconds_of(text, form):
    return datetime.datetime.strptime(text, form).replace(tzinfo=datetime.timezone.utc).timestamp()


def certificates(report, days, now):
    """By its name: what it is, how many whole days it has left, and until when."""
    found, kind = {}, "good"
    for line in report.splitlines():
        kind = "authority" if line.startswith("CERTIFICATE AUTHORITY") else kind
        match = LINE.match(line)
        if not match:
            continue
        name, until, external = match.groups()
        left = int((seconds_of(until, "%b %d, %Y %H:%M") - now) // 86400)
        own = "due" if left < days else "good"
        found[name] = ("external" if external == "yes" else own) if kind == "good" else kind, left, until + " UTC"
    return found


def created(container):
    said = re.search(r'"CreatedAt": "([^".Z]+)', run(*control_plane.CTR, "containers", "info", container))
    return seconds_of(said.group(1), "%Y-%m-%dT%H:%M:%S") if said else 0


def is_stale(component):
    """A container of it that runs is older than a certificate that it reads."""
    newest = max(int(os.path.getmtime(ROOT + path)) for path in READS[component])
    return any(newest > created(container) for container, _ in control_plane.running(component))


def restart(component, expired):
    """The kubelet starts it again at once."""
    if component == "kube-apiserver":
        control_plane.restart_api_server()
    else:
        control_plane.stop(component)
    sentence = "%s did not start again, see journalctl --unit kubelet" % component
    wait(120, lambda: not control_plane.is_stopped(component) and not is_stale(component), sentence)
    answers = {"etcd": etcd.answers, "kube-apiserver": control_plane.api_answers}.get(component)
    if answers and not expired:
        wait(120, answers, "%s does not answer after its restart" % component)


def settle(given, dry):
    found = certificates(kubeadm("check-expiration"), given["days"], time.time())
    lines = ["%s %s: %d days, until %s" % (kind, name, left, until) for name, (kind, left, until) in found.items()]
    stale = [component for component in READS if is_stale(component)]
    lines += ["stale %s: started before its certificate was renewed" % component for component in stale]
    expired = any(kind in ("due", "good") and left < 0 for kind, left, _ in found.values())
    due = any(kind == "due" for kind, _, _ in found.values())
    done = []
    if given["state"] == "renewed":
        done = (["renewed all certificates"] if due else []) + [
            "restarted " + each for each in READS if due or each in stale
        ]
    if done and not dry:
        if due:
            kubeadm("renew", "all")
        for component in READS:
            if is_stale(component):
                restart(component, expired or given["expired"])
    return bool(done), done, {"certificates": lines, "expired": expired}


def main():
    module = AnsibleModule(
        argument_spec={
            "state": {"type": "str", "choices": ["read", "renewed"], "default": "read"},
            "days": {"type": "int", "default": 30},
            "expired": {"type": "bool", "default": False},
        },
        supports_check_mode=True,
    )
    answer(module, lambda: settle(module.params, module.check_mode))


if __name__ == "__main__":
    main()
