#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: node_prerequisites
short_description: Writes settings of a host, turns swap off, loads kernel modules and sets kernel parameters, as the kubelet wants it
version_added: 0.1.0
description:
  - Turns swap off now and at the next boot. Lines of C(/etc/fstab) are kept as comments, and the file as it was beside it.
  - Writes O(files), loads the modules and sets the parameters that are in those of C(modules-load.d) and C(sysctl.d).
  - Makes the folder of static pods, of which a kubelet that has none complains every second. Only packages of Kubernetes bring it.
  - Refuses a container with swap, which only the machine below it can turn off.
options:
  files:
    description: Files below C(/etc), each with its C(path) and its C(content); without one the file is taken away.
    type: list
    elements: dict
    required: true
    suboptions:
      path: {description: Where it lies., type: str, required: true}
      content: {description: Its whole text., type: str}
      mode: {description: "Its permissions, in octal digits.", type: str}
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
"""

EXAMPLES = r"""
- name: Prepare the host for the kubelet
  playsmith.host.node_prerequisites:
    files:
      - path: modules-load.d/kubernetes.conf
        content: |
          overlay
          br_netfilter
"""

RETURN = r"""
done: {description: "What was done, or would be in check mode, one line each.", type: list, elements: str, returned: success}
hints: {description: What only a person can decide., type: list, elements: str, returned: success}
"""

import os
import re

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils import text_files
from ansible_collections.playsmith.host.plugins.module_utils.host import make_folders, read, said

ETC = "/etc"
STATIC_PODS = "/etc/kubernetes/manifests"
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
    states = said("systemctl", "is-active", *names).splitlines()
    return [name for name, state in zip(names, states) if state == "active"]


def is_container():
    if os.path.exists("/run/systemd/container"):
        return True
    return said("systemd-detect-virt", "--container") not in ("", "none")


def hints(in_container):
    keepers = ("systemd-timesyncd", "chrony", "chronyd", "ntp", "ntpd", "ntpsec", "openntpd")
    if not in_container and not active(*keepers):
        yield "nothing keeps its clock right: install and start systemd-timesyncd or chrony"
    for wall in active("firewalld", "ufw"):
        yield wall + " is active: it must let the ports of Kubernetes and the networks of pods pass"
    if active("NetworkManager"):
        yield "NetworkManager is active: tell it to leave the interfaces of the pods' network alone"


def commented(fstab):
    """The table of file systems, without swap among what is mounted at boot."""
    return SWAP.sub(r"# \1", fstab)


def lines(files, folder):
    """What the files of a folder say, without comments."""
    texts = [file["content"] or "" for file in files if file["path"].startswith(folder + "/")]
    return [line.strip() for text in texts for line in text.splitlines() if line.strip() and line[:1] not in "#;"]


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

    def folder(self, path):
        if os.path.isdir(path):
            return
        self.done.append("make " + path)
        if not self.module.check_mode:
            make_folders(path, 0o755)

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
    modules = [name for name in lines(module.params["files"], "modules-load.d") if not has(name)]
    fstab, units = read(FSTAB), swap_units()
    settled.folder(STATIC_PODS)
    settled.run(swaps, ["swapoff", "--all"], "turn swap off: ")
    settled.fstab(fstab, commented(fstab))
    settled.run(units, ["systemctl", "mask", *units], "mask ")
    settled.run(modules, ["modprobe", "--all", *modules], "load ")
    # Some of them are there once their module is.
    parameters = [re.split(r"\s*=\s*", line, maxsplit=1) for line in lines(module.params["files"], "sysctl.d")]
    wrong = ["%s=%s" % (key, value) for key, value in parameters if read(setting(key)).strip() != value]
    settled.run(wrong, ["sysctl", "--quiet", "--write", *wrong], "set ")
    return settled.done, list(hints(in_container))


def main():
    module = AnsibleModule(
        argument_spec={"files": {"type": "list", "elements": "dict", "required": True, "options": text_files.FILE}},
        supports_check_mode=True,
    )
    differences = text_files.bring(module, ETC, module.params["files"])
    done, told = settle(module)
    if done:
        differences.append({"before": "", "after": "".join(line + "\n" for line in done)})
    told = {"hints": told, "invocation": {"module_args": {"files": [file["path"] for file in module.params["files"]]}}}
    module.exit_json(changed=bool(differences), done=done, diff=differences, **told)


if __name__ == "__main__":
    main()
