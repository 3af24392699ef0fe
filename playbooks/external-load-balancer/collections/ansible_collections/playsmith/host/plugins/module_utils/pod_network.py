"""Goes into the network of a pod that was started for the purpose, and looks at the cluster as that pod does."""

from __future__ import annotations

import ctypes
import errno
import glob
import os
import socket
import struct
import time

from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure

NAME = "kubernetes.default.svc.cluster.local"


def family(address):
    return socket.AF_INET6 if ":" in address else socket.AF_INET


def enter(addresses):
    """Pods have network namespaces of their own; ours is the one that has the pod's address."""
    libc = ctypes.CDLL(None, use_errno=True)
    for path in sorted(glob.glob("/run/netns/*")):
        try:
            with open(path, "rb") as file:
                if libc.setns(file.fileno(), 0x40000000) != 0:
                    continue
            with socket.socket(family(addresses[0]), socket.SOCK_DGRAM) as probe:
                probe.bind((addresses[0], 0))
            return
        except OSError:
            continue
    raise Failure("the network of the pod %s is not found on this node" % addresses[0])


def connects(address, port):
    """A refusal is an answer too: the other pod has no program, but its network has."""
    with socket.socket(family(address), socket.SOCK_STREAM) as connection:
        connection.settimeout(3)
        code = connection.connect_ex((address, port))
    return "" if code in (0, errno.ECONNREFUSED) else os.strerror(code)


def resolves(address):
    question = b"".join(bytes([len(part)]) + part.encode() for part in NAME.split(".")) + b"\0"
    # An address of either family will do.
    for kind in (1, 28):
        with socket.socket(family(address), socket.SOCK_DGRAM) as connection:
            connection.settimeout(3)
            connection.connect((address, 53))
            connection.send(struct.pack("!6H", 4711, 0x0100, 1, 0, 0, 0) + question + struct.pack("!2H", kind, 1))
            answer = connection.recv(4096)
        _, flags, _, count, _, _ = struct.unpack("!6H", answer[:12])
        if flags & 15 == 0 and count > 0:
            return ""
    return "it does not know %s" % NAME


def problem(check, *arguments):
    end = time.monotonic() + 30
    while True:
        try:
            said = check(*arguments)
        except OSError as error:
            said = error.strerror or str(error)
        if not said or time.monotonic() > end:
            return said
        time.sleep(1)


def of_target(line, address):
    """What is asked at a place, and what that place is."""
    if line[0] == "dns":
        return problem(resolves, address), line[1]
    if line[0] == "tcp":
        return problem(connects, address, int(line[3])), line[1]
    return problem(connects, address, 9), "a pod on " + line[1]


def reach(node, targets):
    """Lines pod=<node>=<addresses>, dns=<what>=<addresses> and tcp=<what>=<address>=<port>."""
    lines = [line.split("=") for line in targets]
    own = [line for line in lines if line[0] == "pod" and line[1] == node]
    if not own:
        raise Failure("no pod runs on this node")
    enter(own[0][2].split(","))
    problems = []
    for line in (each for each in lines if each not in own):
        for address in line[2].split(","):
            said, what = of_target(line, address)
            if said:
                problems.append("a pod on %s does not reach %s at %s: %s" % (node, what, address, said))
    return problems
