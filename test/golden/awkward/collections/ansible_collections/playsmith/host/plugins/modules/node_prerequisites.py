#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: node_prerequisites
short_description: Turns swap off, loads kernel modules and sets kernel parameters, as the kubelet wants a host
version_added: 0.1.0
description:
  - Turns swap off now and at the next boot. Lines of C(/etc/fstab) are kept as comments, and the file as it was beside it.
  - Loads modules and sets parameters now; that they hold from the next boot on is up to files in C(/etc/modules-load.d)
    and C(/etc/sysctl.d).
  - Refuses a container with swap, which only the machine below it can turn off.
options:
  modules:
    description: Modules of the kernel.
    type: list
    elements: str
    default: []
  parameters:
    description: Parameters of the kernel, each with its value.
    type: dict
    default: {}
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
"""

EXAMPLES = r"""
- name: Prepare the host for the kubelet
  playsmith.host.node_prerequisites:
    modules: [overlay, br_netfilter]
    parameters:
      net.ipv4.ip_forward: "1"
"""

RETURN = r"""
done: {description: "What was done, or would be in check mode, one line each.", type: list, elements: str, returned: success}
hints: {description: What only a person can decide., type: list, elements: str, returned: success}
"""

import os
import re

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.host import read, said

FSTAB = "/etc/fstab"
SWAP = re.compile(r"^([^#\s]\S*\s+\S+\s+swap\s.*)$", re.MULTILINE)


def has(name):
    """A module may be built into the kernel, where nothing lists it."""
    signs = {
        "overlay": "\toverlay\n" in read("/proc/filesystems"),
        "br_netfilter": os.path.isdir("/proc/sys/net/bridge"),
    }
    return os.path.isdir("/sys/module/" + name) or signs.get(name, False)


def swap_units():
    told = said("systemctl", "list-units", "--all", "--plain", "--no-legend", "--type=swap").splitlines()
    units = sorted({"swap.target", *(line.split()[0] for line in told if line.split())})
    return [unit for unit in units if not said("systemctl", "is-enabled", unit).startswith("masked")]


def active(*names):
    return [
        name for name, state in zip(names, said("systemctl", "is-active", *names).splitlines()) if state == "active"
    ]


def is_container():
    if os.path.exists("/run/systemd/container"):
        return True
    return said("systemd-detect-virt", "--container") not in ("", "none")


def hints(in_container):
    keepers = active("systemd-timesyncd", "chrony", "chronyd", "ntp", "ntpd", "ntpsec", "openntpd")
    clock = (
        []
        if in_container or keepers
        else ["nothing keeps its clock right: install and start systemd-timesyncd or chrony"]
    )
    walls = active("firewalld", "ufw")
    return (
        clock
        + [wall + " is active: it must let the ports of Kubernetes and the networks of pods pass" for wall in walls]
        + [
            "NetworkManager is active: tell it to leave the interfaces of the pods' network alone"
            for _ in active("NetworkManager")
        ]
    )


def commented(fstab):
    """The table of file systems, without swap among what is mounted at boot."""
    return SWAP.sub(r"# \1", fstab)


def setting(key):
    return "/proc/sys/" + key.replace(".", "/")


def write(module, path, text):
    module.backup_local(path)
    new = os.path.join(module.tmpdir, "fstab")
    with open(new, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(text)
    module.atomic_move(new, path)


class Settled:
    """Does what is needed, or in check mode says so alone; nothing for what there is no need of."""

    def __init__(self, module):
        self.module = module
        self.done = []

    def run(self, names, words, line):
        if not names:
            return
        self.done.append(line + " ".join(names))
        if not self.module.check_mode:
            status, out, error = self.module.run_command(words)
            if status != 0:
                self.module.fail_json(msg="%s: %s" % (" ".join(words), (error or out).strip()), done=self.done)

    def fstab(self, before, after):
        if before == after:
            return
        self.done.append("leave swap out of " + FSTAB)
        if not self.module.check_mode:
            write(self.module, FSTAB, after)


def settle(module):
    settled = Settled(module)
    swaps = [line.split()[0] for line in read("/proc/swaps").splitlines()[1:]]
    in_container = is_container()
    if in_container and swaps:
        module.fail_json(msg="This is a container: swap must be turned off on the machine that it runs on")
    modules = [name for name in module.params["modules"] if not has(name)]
    fstab, units = read(FSTAB), swap_units()
    settled.run(swaps, ["swapoff", "--all"], "turn swap off: ")
    settled.fstab(fstab, commented(fstab))
    settled.run(units, ["systemctl", "mask", *units], "mask ")
    settled.run(modules, ["modprobe", "--all", *modules], "load ")
    # Some of them are there once their module is.
    parameters = module.params["parameters"].items()
    wrong = ["%s=%s" % (key, value) for key, value in parameters if read(setting(key)).strip() != value]
    settled.run(wrong, ["sysctl", "--quiet", "--write", *wrong], "set ")
    return settled.done, hints(in_container)


def main():
    module = AnsibleModule(
        argument_spec={
            "modules": {"type": "list", "elements": "str", "default": []},
            "parameters": {"type": "dict", "default": {}},
        },
        supports_check_mode=True,
    )
    done, told = settle(module)
    difference = {"before": "", "after": "".join(line + "\n" for line in done)}
    module.exit_json(changed=bool(done), done=done, hints=told, diff=difference if done else {})


if __name__ == "__main__":
    main()
