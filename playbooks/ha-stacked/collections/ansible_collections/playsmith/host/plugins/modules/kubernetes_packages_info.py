#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: kubernetes_packages_info
short_description: Says which programs of Kubernetes are on a host, in which version
version_added: 0.1.0
description:
  - Changes nothing but its own memory, C(/var/lib/playsmith/programs.json). What was found of a program holds until its
    file changes in any way. In check mode that memory is neither read nor written.
options:
  packages: {description: Packages that should be installed., type: list, elements: str, default: []}
  settings:
    description: Files below C(/etc), each with its SHA-256, or C(-) where none is to be there that Playsmith wrote.
    type: dict
    default: {}
  artifacts: {description: "Whether the programs come from artifacts, so that their sums are asked for.", type: bool, default: false}
  plugins: {description: Whether the plugins of the pods' network come from artifacts., type: bool, default: false}
  sums:
    description: What was put there just now, C(binaries/<program>), each with its SHA-256; it is not summed again.
    type: dict
    default: {}
  server:
    description: Address and port of the API server of a control plane, empty for a worker. Without it nobody looks at the node.
    type: str
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Find which programs are on the host
  playsmith.host.kubernetes_packages_info:
    packages: [conntrack, ethtool]
  register: __kubernetes_found
"""

RETURN = r"""
kubernetes:
  description: What was found.
  type: dict
  returned: success
  contains:
    member: {description: Whether the host is a node of a cluster., type: bool}
    versions: {description: "Version of kubeadm, kubectl and kubelet, empty for one that is not there.", type: dict}
    missing: {description: Packages that are not installed., type: list}
    settings: {description: Files of O(settings) that are not as they should be., type: list}
    enabled: {description: Whether the kubelet begins at boot., type: bool}
    stale: {description: Whether the kubelet of a node runs with a program or settings that a run has replaced since., type: bool}
    held: {description: Packages that apt holds back., type: list}
    node: {description: "What M(playsmith.host.kubeadm_node_info) returns of a member that answers at once, else nothing.", type: dict}
    artifacts: {description: "SHA-256 and path of what is there of the artifacts, C(-) for nothing.", type: list}
"""

import json
import os

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.host import (
    differing,
    digest,
    first_match,
    is_unread,
    program_of,
    read,
    said,
    write,
)
from ansible_collections.playsmith.host.plugins.module_utils.kubeadm_node import settled

PROGRAMS = {
    "kubeadm": ("version", "--output=short"),
    "kubectl": ("version", "--client", "--output=json"),
    "kubelet": ("--version",),
}
FOLDER = "/usr/bin"
MEMBER = "/etc/kubernetes/kubelet.conf"
MEMORY = "/var/lib/playsmith/programs.json"
PORTMAP = "/opt/cni/bin/portmap"


def version(program):
    return first_match(r"v(\d+\.\d+\.\d+\S*?)(?=[\s\",]|$)", said(os.path.join(FOLDER, program), *PROGRAMS[program]))


def packages():
    form = "${Package} ${db:Status-Want} ${db:Status-Status}\n"
    lines = said("dpkg-query", "--show", "--showformat=" + form).splitlines()
    return {words[0]: words[1:] for words in (line.split() for line in lines) if len(words) == 3}


def looked_at(program, remembered, is_summed, given):
    path = os.path.join(FOLDER, program)
    try:
        state = os.stat(path)
    except OSError:
        return {"sum": "-", "version": ""}
    file = [is_summed, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns]
    known = remembered.get(program, {})
    if known.get("file") == file:
        return known
    found = {
        "sum": (given.get("binaries/" + program) or digest(path)) if is_summed else "-",
        "version": version(program) if program in PROGRAMS else "",
    }
    return dict(found, file=file) if found["version"] or program not in PROGRAMS else found


def memory():
    try:
        return json.loads(read(MEMORY))
    except ValueError:
        return {}


def remember(programs):
    if os.path.isdir(os.path.dirname(MEMORY)):
        write(MEMORY, json.dumps(programs))


def is_stale(settings):
    try:
        replaced = os.readlink(program_of("kubelet")).endswith(" (deleted)")
    except OSError:
        # It does not run, or ended just now.
        return False
    paths = [os.path.join("/etc", path) for path in settings if "kubelet" in path]
    return os.path.exists(MEMBER) and (replaced or any(is_unread("kubelet", path) for path in paths))


def found(wanted, remembers):
    known = packages()
    binaries = [*PROGRAMS, "crictl"] if wanted["artifacts"] else []
    remembered = memory() if remembers else {}
    programs = {name: looked_at(name, remembered, name in binaries, wanted["sums"]) for name in {*PROGRAMS, *binaries}}
    if remembers and programs != remembered:
        remember(programs)
    record = os.path.join(os.path.dirname(MEMORY), "cni-plugins.sha256")
    unpacked = read(record).split() if os.path.exists(PORTMAP) else []
    plugins = [(unpacked or ["-"])[0] + " archives/cni-plugins.tgz"] if wanted["plugins"] else []
    return {
        "member": os.path.exists(MEMBER),
        "node": {} if wanted["server"] is None else settled(wanted["server"]),
        "versions": {program: programs[program]["version"] for program in PROGRAMS},
        "missing": [name for name in wanted["packages"] if known.get(name, ["", ""])[1] != "installed"],
        "settings": differing("/etc", wanted["settings"]),
        "enabled": said("systemctl", "is-enabled", "kubelet") == "enabled",
        "stale": is_stale(wanted["settings"]),
        "held": [name for name in PROGRAMS if known.get(name, [""])[0] == "hold"],
        "artifacts": [programs[name]["sum"] + " binaries/" + name for name in binaries] + plugins,
    }


def main():
    module = AnsibleModule(
        argument_spec={
            "packages": {"type": "list", "elements": "str", "default": []},
            "settings": {"type": "dict", "default": {}},
            "artifacts": {"type": "bool", "default": False},
            "plugins": {"type": "bool", "default": False},
            "sums": {"type": "dict", "default": {}},
            "server": {"type": "str"},
        },
        supports_check_mode=True,
    )
    module.exit_json(changed=False, kubernetes=found(module.params, remembers=not module.check_mode))


if __name__ == "__main__":
    main()
