#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: control_plane_settings
short_description: Brings the static pods of a running control plane to what kubeadm makes of its configuration
version_added: 0.1.0
description:
  - Has kubeadm make the manifests of this control plane without writing them, compares each with the one that is there, and
    replaces those that differ, one after the other. The kubelet starts the component anew; others are left as they are.
  - Each must run with the new arguments and answer at its own address before the next one is touched. One that does not gets
    its old manifest back, as do those before it, and the module fails with what the component wrote into its log.
  - The certificate of the API server is made new where names lack in it, or are too many. The API server reads it without a
    restart; the old one comes back when it is not served.
  - What was there before lies in C(/var/lib/playsmith/reconfigure) until all is well, so that a run that was cut is taken up.
  - It fails before anything is changed where arguments of somebody else say where data of etcd lie, or keys of Secrets.
  - A host that is no control plane yet is left alone.
options:
  configuration:
    description: The text of kubeadm's configuration for this control plane.
    type: str
    required: true
  address:
    description: Where the API server of this control plane listens.
    type: str
    required: true
  port:
    description: At which port.
    type: int
    required: true
  names:
    description: Names and addresses that the certificate of the API server holds.
    type: list
    elements: str
    required: true
  others:
    description: Those of O(names) that may lack, since they are those of other control planes.
    type: list
    elements: str
    default: []
  own:
    description: Those that kubeadm adds for this host and cluster, besides those of every cluster.
    type: list
    elements: str
    default: []
  seconds:
    description: How long one component may take until it answers.
    type: int
    default: 180
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
"""

EXAMPLES = r"""
- name: Bring the control plane to its settings
  playsmith.host.control_plane_settings:
    configuration: "{{ lookup('ansible.builtin.file', 'kubeadm.yaml') }}"
    address: 192.0.2.11
    port: 6443
    names: [192.0.2.100, api.example.org]
"""

RETURN = r"""
differs: {description: "Whether the control plane is, or was, to be changed.", type: bool, returned: always}
components: {description: "Static pods that are, or would be, started anew.", type: list, elements: str, returned: always}
certificate: {description: "Names that come into the certificate, or leave it.", type: list, elements: str, returned: always}
"""

import glob
import ipaddress
import os

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils import control_plane
from ansible_collections.playsmith.host.plugins.module_utils.control_plane import COMPONENTS, KEYS
from ansible_collections.playsmith.host.plugins.module_utils.control_plane_node import PATIENCE
from ansible_collections.playsmith.host.plugins.module_utils.host import first_match, forget, listens, read
from ansible_collections.playsmith.host.plugins.module_utils.kubeadm import KEPT, is_begun, made, version_of
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure
from ansible_collections.playsmith.host.plugins.module_utils.serving_certificate import (
    OF_KUBEADM,
    renew,
    served,
    spelled,
    take_back_pair,
)
from ansible_collections.playsmith.host.plugins.module_utils.static_pod_changes import bring_all, kept_of
from ansible_collections.playsmith.host.plugins.module_utils.static_pods import Pod, path_of, with_members_of


def networks(text):
    """What it means, whichever way it is spelled; the text itself, where it is none."""
    try:
        return [ipaddress.ip_network(each, strict=False) for each in text.split(",")]
    except ValueError:
        return text


def require_lasting(present, wanted):
    """A run of everything may ask for others, where the first one was cut."""
    texts = [each["kube-apiserver"] + each["kube-controller-manager"] for each in (present, wanted)]
    for argument in ("etcd-prefix", "service-account-issuer", "service-cluster-ip-range", "cluster-cidr"):
        unsaid = "/registry" if argument == "etcd-prefix" else ""
        was, asked = [first_match(control_plane.ARGUMENT % argument, text) or unsaid for text in texts]
        if was and asked and networks(was) != networks(asked):
            raise Failure("the cluster relies on --%s=%s: change it back, %s is for a new one" % (argument, was, asked))


def wanted_manifests(configuration):
    files = made(configuration, "etcd local", "control-plane all")
    wanted = {component: files[component + ".yaml"] for component in COMPONENTS}
    wanted["etcd"] = with_members_of(read(path_of("etcd")), wanted["etcd"])
    return wanted


def differing_names(there, names, others, own):
    """Names that lack in the certificate, and those in it that nobody wants."""
    wanted, others, own = ({spelled(name) for name in given} for given in (names, others, own + OF_KUBEADM))
    return sorted(wanted - there - others), sorted(there - wanted - own)


def require_well(components, present):
    for component in components:
        try:
            Pod(component, present[component]).wait(PATIENCE)
        except Failure as error:
            raise Failure("%s. Nothing was changed" % error) from None


def unread(manifest):
    """Policies of the audit log, and keys, that the API server was told about once."""
    return [path for path in (KEYS, *glob.glob("/etc/kubernetes/playsmith/audit-policy*.yaml")) if path not in manifest]


def apply(module, given):
    configuration, address, port = (given[option] for option in ("configuration", "address", "port"))
    present = {component: read(path_of(component)) for component in COMPONENTS}
    problems = control_plane.foreign_stores()
    if problems:
        raise Failure("; ".join(problems))
    running = version_of(configuration)
    if ":v%s\n" % running not in present["kube-apiserver"]:
        raise Failure("its API server is not of the version %s yet: npx task run upgrade" % running)
    if not module.check_mode:
        os.makedirs(KEPT, mode=0o700, exist_ok=True)
        take_back_pair()
    wanted = wanted_manifests(configuration)
    require_lasting(present, wanted)
    if KEYS not in wanted["kube-apiserver"] and "secret:" in read(KEYS):
        raise Failure("nobody could read Secrets that are encrypted: npx task apply stores them readable first")
    cut = [component for component in COMPONENTS if os.path.exists(kept_of(component))]
    changing = [component for component in COMPONENTS if present[component] != wanted[component] or component in cut]
    # In check mode it is told by verify who is not well.
    require_well([] if module.check_mode else [each for each in COMPONENTS if each not in changing], present)
    lacking, surplus = [], []
    if "kube-apiserver" not in changing or listens(address, port):
        there = served(address, port)[0]
        lacking, surplus = differing_names(there, given["names"], given["others"], given["own"])
    names = ["+" + name for name in lacking] + ["-" + name for name in surplus]
    if not module.check_mode:
        if names:
            renew(configuration, address, port)
        bring_all(changing, wanted, given["seconds"])
        forget(*unread(wanted["kube-apiserver"]))
    return changing, names, present, wanted


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "configuration": {"type": "str", "required": True},
            "address": {"type": "str", "required": True},
            "port": {"type": "int", "required": True},
            "names": {"type": "list", "elements": "str", "required": True},
            "others": {"type": "list", "elements": "str", "default": []},
            "own": {"type": "list", "elements": "str", "default": []},
            "seconds": {"type": "int", "default": 180},
        },
        supports_check_mode=True,
    )
    if not is_begun(path_of("kube-apiserver")):
        module.exit_json(changed=False, differs=False, components=[], certificate=[])
    try:
        changing, names, present, wanted = apply(module, module.params)
    except Failure as error:
        module.fail_json(msg=str(error))
    module.exit_json(
        changed=bool(changing or names),
        differs=bool(changing or names),
        components=changing,
        certificate=names,
        diff=[
            {"before_header": path, "after_header": path, "before": present[component], "after": wanted[component]}
            for component, path in zip(changing, map(path_of, changing))
        ]
        + ([{"prepared": "names of the API server's certificate: %s\n" % " ".join(names)}] if names else []),
    )


if __name__ == "__main__":
    main()
