"""Receptor on the control node: what it knows, and its units of work."""
import base64
import json
import os
import re
import socket
import subprocess
import time

from playsmith.fault import Fault, server_fault

SOCKET = "/run/receptor/receptor.sock"
WORK_KEY = "/etc/receptor/playsmith/work.key"
# As long as the configuration lets Receptor's own signatures last: clocks may differ.
SIGNED_SECONDS = 600
# Work that waits says every 5 s that it is there: a line that is silent for longer was cut, and is opened anew.
STALLED_SECONDS = 12
NODE = re.compile(r"[a-z]([a-z0-9-]{0,61}[a-z0-9])?")
# How long a request is waited for where the node is away.
ROUTE_SECONDS = 30
LOST = (OSError, RuntimeError, ValueError, AttributeError)


def control():
    try:
        from receptorctl.socket_interface import ReceptorControl
    except ImportError as error:
        raise server_fault("The control node has no Receptor", str(error), "Build the mesh: npx task run") from error
    return ReceptorControl(SOCKET)


def ask(command):
    connection = control()
    try:
        return connection.simple_command(command)
    finally:
        connection.close()


def checked(node):
    if not isinstance(node, str) or not NODE.fullmatch(node):
        raise Fault("run", "%r is no name of a node" % (node,), next="Name it as the fleet's definition does")
    return node


def away(node, why):
    message = "%s is not reached over the mesh (%s)" % (node, why)
    return Fault("connection", message, next="See which nodes answer: npx task fleet doctor")


def require_route(node):
    """A unit of work for a node without a route would wait in silence."""
    until = time.monotonic() + ROUTE_SECONDS
    while True:
        try:
            found = ask("status")
        except LOST as error:
            found, why = {}, str(error)
        else:
            why = "it knows ways to: %s" % (", ".join(sorted(found.get("RoutingTable") or {})) or "nobody")
        if node in (found.get("RoutingTable") or {}):
            return
        if time.monotonic() > until:
            raise away(node, why)
        time.sleep(0.5)


def mesh(request):
    """Which nodes answer the control node, in milliseconds, or why they do not; and the version of its Receptor."""
    try:
        return {"version": ask("status").get("Version", ""), "answers": {node: answer_of(node) for node in request["nodes"]}}
    except LOST as error:
        raise server_fault("Receptor on the control node does not answer", str(error), "Build the mesh: npx task run") from error


def answer_of(node):
    try:
        found = ask("ping %s" % checked(node))
    except LOST as error:
        return str(error)
    return found["Time"] / 1e6 if found.get("Success") else found.get("Error", "no answer")


def results_there(node, unit, place):
    """What a unit tells from a byte on, read from the node that does it; a LOST where that cannot be.

    Receptor looks once a second whether there is something to copy to the control node, and copies it after the second look.
    """
    remote = (ask("work status %s" % unit).get("ExtraData") or {}).get("RemoteUnitID")
    if not remote:
        raise RuntimeError("%s is not known to have begun" % unit)
    talk = socket.socket(socket.AF_UNIX)
    talk.settimeout(STALLED_SECONDS)
    try:
        talk.connect(SOCKET)
        file = talk.makefile("rwb")
    finally:
        # The file keeps what it needs of it.
        talk.close()
    try:
        said(file, "Receptor Control")
        asked(file, "connect %s control mesh-client" % node, "Connecting")
        said(file, "Receptor Control")
        request = {"command": "work", "subcommand": "results", "unitid": remote, "startpos": place, "signature": signature(node)}
        asked(file, json.dumps(request), "Streaming results")
    except LOST:
        file.close()
        raise
    return file


def asked(file, line, expected):
    file.write(line.encode() + b"\n")
    file.flush()
    said(file, expected)


def said(file, expected):
    line = file.readline().decode(errors="replace")
    if not line.startswith(expected):
        raise RuntimeError("Receptor says %r, not %s" % (line, expected))


def signature(node):
    """What Receptor itself would sign a question to another node with: a token (RFC 7519) for that node."""
    until = int(time.time()) + SIGNED_SECONDS
    text = b".".join(map(url_safe, (b'{"alg":"RS512","typ":"JWT"}', json.dumps({"exp": until, "aud": node}).encode())))
    words = ["openssl", "dgst", "-sha512", "-sign", WORK_KEY]
    signed = subprocess.run(words, input=text, capture_output=True, check=False)
    if signed.returncode != 0:
        raise RuntimeError(signed.stderr.decode(errors="replace").strip())
    return (text + b"." + url_safe(signed.stdout)).decode()


def url_safe(content):
    return base64.urlsafe_b64encode(content).rstrip(b"=")


def release(unit):
    """Its folders hold the request and the answer, on both nodes. What cannot be released now is left to `sweep`."""
    try:
        ask("work release %s" % unit)
    except LOST:
        pass


def sweep(request):
    """Releases units of work that nobody waits for any more: those that ended, longer ago than `seconds`."""
    root = "/var/lib/receptor"
    found = ask("work list")
    released = []
    for unit, state in found.items():
        age = time.time() - newest(root, unit)
        if state.get("StateName") in ("Succeeded", "Failed", "Canceled") and age > request.get("seconds", 3600):
            release(unit)
            released.append(unit)
    return {"released": released, "left": len(found) - len(released)}


def newest(root, unit):
    places = [os.path.join(root, node, unit, "status") for node in os.listdir(root)]
    return max((os.stat(place).st_mtime for place in places if os.path.exists(place)), default=time.time())
