"""A request to another node of the mesh: one signed unit of work, submitted here, answered there, told as it comes."""
import base64
import json
import os
import queue
import re
import threading
import time

from playsmith.fault import Fault, server_fault

SOCKET = "/run/receptor/receptor.sock"
NODE = re.compile(r"[a-z]([a-z0-9-]{0,61}[a-z0-9])?")
# How long a request is waited for where the node is away, and how much later it is no longer begun.
ROUTE_SECONDS, BEGIN_SECONDS, LATE_SECONDS = 30, 60, 60
# How long work may say nothing while there is a way to its node. After a power cut Receptor takes it for running for ever.
SILENT_SECONDS = 30
# How long Receptor itself may be away, as when it is started anew.
AWAY_SECONDS = 60
# What says something else, or does something more, when it is asked for twice. `start` has a token.
ONCE = ("begin-apply", "end-apply", "cancel", "unlock")
LOST = (OSError, RuntimeError, ValueError, AttributeError)


def relay(request, session):
    node = checked(request["node"])
    unit = submitted(node, request)
    try:
        return listened(node, unit, session)
    finally:
        release(unit)


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


def checked(node):
    if not isinstance(node, str) or not NODE.fullmatch(node):
        raise Fault("run", "%r is no name of a node" % (node,), next="Name it as the fleet's definition does")
    return node


def away(node, why):
    message = "%s is not reached over the mesh (%s)" % (node, why)
    return Fault("connection", message, next="See which nodes answer: npx task fleet doctor")


def submitted(node, request):
    """Whether the node has a unit whose submission broke off is not known: what may be done twice is submitted again."""
    until = time.monotonic() + AWAY_SECONDS
    while True:
        require_route(node)
        try:
            return submit(node, request)
        except LOST as error:
            refused = "signature" in str(error) or request["request"].get("operation") in ONCE
            if refused or time.monotonic() > until:
                raise away(node, str(error)) from error
        time.sleep(1)


def submit(node, request):
    inner = dict(request["request"], alone=True, notAfter=time.time() + BEGIN_SECONDS + LATE_SECONDS)
    payload = base64.b64decode(request["program"]) + json.dumps(inner).encode() + b"\n"
    words = {"node": node, "tlsclient": "mesh-client", "ttl": "%ds" % BEGIN_SECONDS, "signwork": True}
    return control().submit_work("playsmith", payload, **words)["unitid"]


def listened(node, unit, session):
    """The answer. Whoever asked may hang up: what then goes on there is what `start` began, and no more."""
    lines = queue.Queue()
    threading.Thread(target=read, args=(unit, lines.put), daemon=True).start()
    heard = time.monotonic()
    while True:
        try:
            line = lines.get(timeout=0.2)
        except queue.Empty:
            if session.interrupted(0):
                return {"status": "running"}
            if time.monotonic() - heard > SILENT_SECONDS:
                require_silence_explained(node)
                heard = time.monotonic()
            continue
        heard = time.monotonic()
        if not isinstance(line, bytes):
            raise away(node, line)
        answer = understood(line)
        if "event" in answer:
            session.reply(answer)
        elif "done" in answer:
            return answer["done"]
        elif "failure" in answer:
            failure = dict(answer["failure"])
            raise Fault(failure.pop("kind"), failure.pop("message"), **failure)
        elif "bug" in answer:
            raise RuntimeError("on %s: %s" % (node, answer["bug"]))


def require_silence_explained(node):
    """What is told over a line that is cut arrives when there is a way again. Where there is one, nobody tells any more."""
    try:
        reached = node in (ask("status").get("RoutingTable") or {})
    except LOST:
        return
    if reached:
        raise away(node, "its work has said nothing for %d s" % SILENT_SECONDS)


def understood(line):
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def read(unit, tell):
    """Every line of a unit once, over any loss of the connection to Receptor; last, in words, why there is no more."""
    place, rest, lost_since = 0, b"", None
    while True:
        try:
            stream = control().get_work_results(unit, startpos=place)
            while chunk := stream.read1(1 << 16):
                place += len(chunk)
                *whole, rest = (rest + chunk).split(b"\n")
                for line in whole:
                    tell(line)
            state = ask("work status %s" % unit)
            lost_since = None
        except Fault as fault:
            return tell(fault.failure["message"])
        except LOST as error:
            lost_since = lost_since or time.monotonic()
            if time.monotonic() - lost_since > AWAY_SECONDS:
                return tell(str(error))
            state = {}
        if state.get("StateName") in ("Succeeded", "Failed", "Canceled") and state.get("StdoutSize", 0) <= place:
            return tell("its work ended without an answer: %s" % state.get("Detail", ""))
        time.sleep(0.5)


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
