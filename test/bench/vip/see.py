"""What one load balancer knows about itself, as a line of JSON: see.py ADDRESS, on the host."""

import json
import re
import socket
import subprocess
import sys


def said(*argv):
    return subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False, text=True).stdout


def servers_up():
    try:
        with socket.socket(socket.AF_UNIX) as admin:
            admin.settimeout(2)
            admin.connect("/run/haproxy/admin.sock")
            admin.sendall(b"show stat\n")
            rows = [line.split(",") for line in admin.makefile().read().splitlines() if line.startswith("kubernetes_api,")]
    except OSError:
        return 0
    # A server's state is its 18th field; UP 1/2 is on its way down.
    return sum(row[17] == "UP" for row in rows if row[1] not in ("FRONTEND", "BACKEND"))


def state():
    """Of this start of keepalived: BACKUP, MASTER or FAULT."""
    start = said("systemctl", "show", "--property=InvocationID", "--value", "keepalived").strip()
    lines = said("journalctl", "--output=cat", "--lines=300", "_SYSTEMD_INVOCATION_ID=" + start)
    return (re.findall(r"Entering (\w+) STATE", lines) or [""])[-1]


print(json.dumps({
    "holds": " %s/" % sys.argv[1] in said("ip", "-brief", "address"),
    "state": state(),
    "serversUp": servers_up(),
}))
