#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: host_preflight
short_description: Finds what speaks against a host of a cluster, and changes nothing
version_added: 0.1.0
options:
  addresses:
    description: Addresses that the host must have.
    type: list
    elements: str
    default: []
  memory:
    description: Memory that it must have, in MB.
    type: int
    default: 0
  disk:
    description: Space that must be free below C(/var), in MB. A node that runs may have less, since images fill its disk.
    type: int
    default: 0
  seconds:
    description: The clock of the Ansible server, in seconds since 1970.
    type: int
    required: true
  ports:
    description: Ports that the cluster needs, and which programs may hold each.
    type: dict
    default: {}
  node:
    description:
      - What the host shall be as a node, with C(name), C(cluster), C(version), C(address), C(servers), C(networks) and
        C(processors); none, where it is no node.
    type: dict
    default: {}
  virtual_address:
    description: An address whose holders are asked for, as M(playsmith.host.address_info) does it; none, where this host does not ask.
    type: str
    default: ""
  release:
    description: What the release of Kubernetes does not run on, as C(files/preflight/release.yml) of a bundle says it.
    type: dict
    default: {}
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Find what speaks against the host
  playsmith.host.host_preflight:
    addresses: [192.0.2.11]
    memory: 1700
    seconds: "{{ now(fmt='%s') }}"
    ports:
      "8443": [haproxy]
"""

RETURN = r"""
problems: {description: Every reason against the host., type: list, elements: str, returned: success}
notices: {description: "What nobody refuses, but nobody has tested either.", type: list, elements: str, returned: success}
interfaces: {description: "The interface that has each address of the host.", type: dict, returned: success}
clock: {description: "The clock of the host, in seconds since 1970.", type: int, returned: success}
member: {description: Whether it is a node of the cluster already., type: bool, returned: when O(node) is given}
authority: {description: "The SHA-256 of the authority that a node trusts.", type: str, returned: when O(node) is given}
virtual_address: {description: "What M(playsmith.host.address_info) returns of O(virtual_address).", type: dict, returned: when it is given}
names: {description: "The SHA-256 of the lines that Playsmith wrote to C(/etc/hosts).", type: str, returned: when O(node) is given}
identity: {description: What no two nodes may share., type: list, elements: str, returned: when O(node) is given}
"""

import concurrent.futures
import os
import re
import shutil
import sys
import time

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils import future_node
from ansible_collections.playsmith.host.plugins.module_utils.held_address import holding
from ansible_collections.playsmith.host.plugins.module_utils.host import first_match, listed, output, read
from ansible_collections.playsmith.host.plugins.module_utils.release import of_host

SYSTEMS = {"debian": ("12", "13"), "ubuntu": ("22.04", "24.04")}
TRIED = "Debian 12, Debian 13, Ubuntu 22.04, Ubuntu 24.04"


def system():
    pairs = (line.split("=", 1) for line in read("/etc/os-release").splitlines() if "=" in line)
    return {key: value.strip('"') for key, value in pairs}


def megabytes():
    return int(first_match(r"MemTotal:\s+(\d+)", read("/proc/meminfo")) or 0) // 1024


def interfaces():
    """By the addresses that they have; of two with one address the first, as address_info has it."""
    links = listed("address")[::-1]
    return {each["local"]: link["ifname"] for link in links for each in link.get("addr_info", []) if "local" in each}


def strangers(ports):
    words = ("ss", "--no-header", "--listening", "--tcp", "--numeric", "--processes")
    # Of these ports alone: anybody's program may be called like a line, and listen anywhere else.
    asked = " or ".join("sport = :" + port for port in ports)
    for line in (output(*words, asked) or "").splitlines() if ports else []:
        port = (line.split()[3:4] or [""])[0].rsplit(":", 1)[-1]
        programs = set(re.findall(r'"([^"]+)"', " ".join(line.split()[5:])))
        unknown = programs - set(ports.get(port, []))
        if port in ports and (unknown or not programs):
            yield "port " + port + " is taken by " + (", ".join(sorted(unknown)) or "a program that nobody sees")


def of_system(wanted):
    found, memory, free = system(), megabytes(), shutil.disk_usage("/var").free // 1048576
    behind = wanted["seconds"] - int(time.time())
    # The kubelet lets the images of a node fill its disk up to a share of it, whatever is left then.
    is_node = os.path.exists("/etc/kubernetes/kubelet.conf")
    checks = {
        "the system is %s, tried are %s" % (found.get("PRETTY_NAME", "unknown"), TRIED): found.get("VERSION_ID", "")
        in SYSTEMS.get(found.get("ID", ""), ()),
        "services are run by %s, systemd is needed"
        % (read("/proc/1/comm").strip() or "an unknown program"): os.path.isdir("/run/systemd/system"),
        "Python is %s, 3.9 or newer is needed" % sys.version.split()[0]: sys.version_info[:2] >= (3, 9),
        "the clock is %d s behind that of the Ansible server, 30 s are allowed" % behind: behind <= 30,
        "the memory is %d MB, %d MB are needed" % (memory, wanted["memory"]): memory >= wanted["memory"],
        "below /var %d MB are free, %d MB are needed" % (free, wanted["disk"]): is_node or free >= wanted["disk"],
    }
    return [problem for problem, holds in checks.items() if not holds]


def of_addresses(wanted):
    own = interfaces()
    says = "the address %s is not on the host, which has %s"
    return [says % (address, ", ".join(own)) for address in wanted if address not in own]


def seen(wanted):
    problems = of_system(wanted) + of_addresses(wanted["addresses"]) + sorted(set(strangers(wanted["ports"])))
    node = future_node.examine(wanted["node"]) if wanted["node"] else {"problems": []}
    refused, notices = of_host(wanted["release"], False) if wanted["release"] else ([], [])
    found = {"notices": notices, "clock": int(time.time()), "interfaces": interfaces()}
    return {**node, **found, "problems": problems + node["problems"] + refused}


def examine(wanted):
    """Who answers at an address takes a second to answer, and everything else meanwhile."""
    if not wanted["virtual_address"]:
        return seen(wanted)
    with concurrent.futures.ThreadPoolExecutor() as asking:
        answering = asking.submit(holding, wanted["virtual_address"], True)
        return {**seen(wanted), "virtual_address": answering.result()}


def main():
    module = AnsibleModule(
        argument_spec={
            "addresses": {"type": "list", "elements": "str", "default": []},
            "memory": {"type": "int", "default": 0},
            "disk": {"type": "int", "default": 0},
            "seconds": {"type": "int", "required": True},
            "ports": {"type": "dict", "default": {}},
            "node": {"type": "dict", "default": {}},
            "virtual_address": {"type": "str", "default": ""},
            "release": {"type": "dict", "default": {}},
        },
        supports_check_mode=True,
    )
    module.exit_json(changed=False, **examine(module.params))


if __name__ == "__main__":
    main()
