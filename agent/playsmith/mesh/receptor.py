"""Receptor on the control node: what it knows, and its units of work."""
import os
import re
import time

from playsmith.fault import Fault, server_fault

SOCKET = "/run/receptor/receptor.sock"
NODE = re.compile(r"[a-z]([a-z0-9.-]{0,61}[a-z0-9])?")
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
