#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: haproxy_servers
short_description: Brings the servers of the HAProxy that runs to those of its configuration
version_added: 0.1.0
description:
  - Where only servers come or go, in the process that runs; else by a reload.
  - A server that goes takes no new connection; those that it has may last O(seconds), and are then cut. One that comes
    takes connections once its health check has passed.
options:
  state:
    description:
      - V(configured) brings the servers to C(/etc/haproxy/haproxy.cfg), and closes the socket of HAProxy to all but root.
      - V(drained) takes O(names) out until they are configured again.
      - V(listening) changes nothing, and fails where a port of the configuration takes no connection.
    type: str
    choices: [configured, drained, listening]
    default: configured
  seconds:
    description: How long connections to a server that goes may last.
    type: float
    default: 0
  names:
    description: Servers that are taken out, in all backends.
    type: list
    elements: str
    default: []
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
"""

EXAMPLES = r"""
- name: Reconcile the servers in rotation with the configuration
  playsmith.host.haproxy_servers:
    seconds: 30

- name: Send no more connections to two workers
  playsmith.host.haproxy_servers:
    state: drained
    seconds: 30
    names: [worker01, worker02]
"""

RETURN = r"""
done: {description: "What was changed, or would be in check mode, one line each.", type: list, elements: str, returned: success}
"""

import csv
import os
import re
import socket
import subprocess
import time

from ansible.module_utils.basic import AnsibleModule

CONFIGURATION = "/etc/haproxy/haproxy.cfg"
SOCKET = "/run/haproxy/admin.sock"
FORCED_MAINTENANCE, FORCED_DRAIN = 1, 8


class Refused(Exception):
    """What HAProxy does not do, in words for a person."""


def ask(command):
    answer = b""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(10)
        connection.connect(SOCKET)
        connection.sendall(command.encode() + b"\n")
        for part in iter(lambda: connection.recv(65536), b""):
            answer += part
    return answer.decode().strip()


def command(text, wanted=""):
    """Most say nothing when all is well."""
    said = ask(text)
    if said != wanted:
        raise Refused("HAProxy refuses %r: %s" % (text, said))


def configured():
    """What all but the servers is, and by backend its servers' options and where each leads."""
    description, backends, current = "", {}, None
    with open(CONFIGURATION, encoding="utf-8") as file:
        for words in (line.split() for line in file):
            if words[:1] == ["description"]:
                description = " ".join(words[1:])
            elif words[:1] in (["backend"], ["frontend"], ["defaults"]):
                current = (
                    backends.setdefault(words[1], {"options": "", "servers": {}}) if words[0] == "backend" else None
                )
            elif current is not None and words[:1] == ["default-server"]:
                current["options"] = " ".join(words[1:])
            elif current is not None and words[:1] == ["server"]:
                current["servers"][words[1]] = words[2]
    return description, backends


def running():
    """By backend and server where it leads, and what somebody has forced it to."""
    lines = [line.split() for line in ask("show servers state").splitlines()]
    names = next(line[1:] for line in lines if line[:2] == ["#", "be_id"])
    found = {}
    for line in lines:
        if len(line) < len(names) or line[0].startswith("#"):
            continue
        row = dict(zip(names, line))
        host = "[%s]" % row["srv_addr"] if ":" in row["srv_addr"] else row["srv_addr"]
        target = "%s:%s" % (host, row["srv_port"])
        found[row["be_name"], row["srv_name"]] = (target, int(row["srv_admin_state"]))
    return found


def told(name):
    said = re.search("^%s: (.*)$" % name, ask("show info"), re.MULTILINE)
    return said.group(1) if said else ""


def description():
    return told("description")


def knows_dynamic_servers():
    """Before 2.6 servers come and go by an experiment, and are not checked."""
    return [int(number) for number in re.findall(r"\d+", told("Version"))[:2]] >= [2, 6]


def connections():
    rows = csv.DictReader(ask("show stat").lstrip("# ").splitlines())
    return {(row["pxname"], row["svname"]): int(row["scur"] or 0) for row in rows}


def drained(servers, seconds):
    """Waits until the connections have ended, or cuts them; how many had to be."""
    for server in servers:
        command("set server %s/%s state drain" % server)
    end = time.monotonic() + seconds
    left = sum(connections().get(server, 0) for server in servers)
    while left > 0 and time.monotonic() < end:
        time.sleep(0.2)
        left = sum(connections().get(server, 0) for server in servers)
    for server in servers:
        command("set server %s/%s state maint" % server)
        ask("shutdown sessions server %s/%s" % server)
    return left


def delete(server):
    """A connection that was cut is gone a moment later."""
    end = time.monotonic() + 10
    while True:
        said = ask("del server %s/%s" % server)
        if said == "Server deleted.":
            return
        if time.monotonic() > end:
            raise Refused("HAProxy keeps %s/%s: %s" % (*server, said))
        time.sleep(0.1)


def add(server, target, options):
    command("add server %s/%s %s %s" % (*server, target, options), "New server registered.")
    # It would count as up until its first check has failed.
    command("enable health {0}; enable server {0}; set server {0} health down".format("%s/%s" % server))


def cut(count):
    return ", %d connections were cut" % count if count else ""


def reload(wanted, targets):
    subprocess.run(["systemctl", "reload", "haproxy"], check=True)
    end = time.monotonic() + 30
    while time.monotonic() < end:
        try:
            if description() == wanted and {server: target for server, (target, _) in running().items()} == targets:
                return
        except (OSError, StopIteration):
            pass
        time.sleep(0.2)
    raise Refused("HAProxy does not take its configuration, see journalctl --unit haproxy")


def closed(dry):
    """A socket that a reload hands over keeps the rights that it had, like those of the distribution's configuration."""
    if os.stat(SOCKET).st_mode & 0o777 == 0o600:
        return []
    if not dry:
        os.chmod(SOCKET, 0o600)
    return ["only root may change HAProxy while it runs"]


def apply(seconds, dry):
    wanted, backends = configured()
    targets = {(backend, name): target for backend, own in backends.items() for name, target in own["servers"].items()}
    now = running()
    coming = [server for server in targets if server not in now]
    going = [server for server in now if server not in targets]
    moved = [server for server in targets if server in now and now[server][0] != targets[server]]
    back = [server for server in targets if server in now and now[server][1] & (FORCED_MAINTENANCE | FORCED_DRAIN)]
    if description() != wanted or moved or ((coming or going) and not knows_dynamic_servers()):
        # Of a port that goes as a whole nothing is waited for.
        leaving = [server for server in going if server[0] in backends]
        count = drained(leaving, seconds) if leaving and not dry else 0
        if not dry:
            reload(wanted, targets)
        return ["HAProxy is reloaded" + cut(count)]
    said = ["%s/%s is added" % server for server in coming]
    said += ["%s/%s takes connections again" % server for server in back]
    said += ["%s/%s is removed" % server for server in going]
    if not dry:
        for server in coming:
            add(server, targets[server], backends[server[0]]["options"])
        for server in back:
            command("set server {0} state ready; set server {0} health down".format("%s/%s" % server))
        count = drained(going, seconds) if going else 0
        for server in going:
            delete(server)
        said += [cut(count)[2:]] if count else []
    return said


def drain(seconds, names, dry):
    now = running()
    servers = [server for server, (_, state) in now.items() if server[1] in names and not state & FORCED_MAINTENANCE]
    count = drained(servers, seconds) if servers and not dry else 0
    return ["%s/%s takes no connections" % server for server in servers] + ([cut(count)[2:]] if count else [])


def verify():
    """A node that is down is no fault of the load balancer; nobody listening is."""
    with open(CONFIGURATION, encoding="utf-8") as file:
        binds = [line.split()[1] for line in file if line.split()[:1] == ["bind"]]
    problems = []
    for bind in binds:
        if bind.startswith("/"):
            continue
        host, port = bind.rsplit(":", 1)
        try:
            socket.create_connection(("::1" if host == "[::]" else "127.0.0.1", int(port)), 5).close()
        except OSError as error:
            problems.append("port %s takes no connection (%s)" % (port, error.strerror or error))
    if problems:
        raise Refused("; ".join(problems) + ": see journalctl --unit haproxy")
    return []


def settled(state, seconds, names, dry):
    if state == "listening":
        return verify()
    if state == "drained":
        return drain(seconds, names, dry)
    return apply(seconds, dry) + closed(dry)


def main():
    module = AnsibleModule(
        argument_spec={
            "state": {"type": "str", "choices": ["configured", "drained", "listening"], "default": "configured"},
            "seconds": {"type": "float", "default": 0},
            "names": {"type": "list", "elements": "str", "default": []},
        },
        supports_check_mode=True,
    )
    given = module.params
    try:
        done = settled(given["state"], given["seconds"], given["names"], module.check_mode)
    except Refused as problem:
        module.fail_json(msg=str(problem))
    except OSError as error:
        module.fail_json(msg="HAProxy does not answer (%s), see journalctl --unit haproxy" % (error.strerror or error))
    difference = {"before": "", "after": "".join(line + "\n" for line in done)}
    module.exit_json(changed=bool(done), done=done, diff=difference if done else {})


if __name__ == "__main__":
    main()
