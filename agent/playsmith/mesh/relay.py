"""Requests to another node of the mesh: a signed unit of work, submitted here, answered there, told as it comes."""
import base64
import contextlib
import json
import queue
import threading
import time

from playsmith.fault import Fault, server_fault
from playsmith.mesh.receptor import LOST, ask, away, checked, control, release, require_route

# How long work may wait to begin (a hundred requests at once on two cores took more than a minute), and how much later it is
# no longer begun.
BEGIN_SECONDS, LATE_SECONDS = 180, 60
# How long work may say nothing while there is a way to its node. After a power cut Receptor takes it for running for ever.
SILENT_SECONDS = 30
# The same before its first word: a node with much to do takes its time to begin, and does not begin later than that.
FIRST_SECONDS = BEGIN_SECONDS + LATE_SECONDS
# How long Receptor itself may be away, as when it is started anew.
AWAY_SECONDS = 60
# What says something else, or does something more, when it is asked for twice. `start` has a token.
ONCE = ("begin-apply", "end-apply", "cancel", "unlock")
# What is kept in memory of what a node tells: bytes of one line, which has an end sooner, and lines that nobody took yet.
LONGEST, WAITING = 64 << 20, 64


class Unit:
    """Work on a node, and what it tells. `coming`: the operations that it answers next, unasked, about the run that it began.
    `silence`: how many seconds it may say nothing."""

    def __init__(self, node, name, coming):
        self.node, self.name, self.coming, self.run = node, name, list(coming), ""
        self.silence = FIRST_SECONDS
        self.lines, self.over = queue.Queue(WAITING), threading.Event()
        threading.Thread(target=read, args=(self,), daemon=True).start()

    def tell(self, line):
        """Waits until what came before was taken, as long as anybody listens."""
        while not self.over.is_set():
            with contextlib.suppress(queue.Full):
                return self.lines.put(line, timeout=1)

    def release(self):
        """Nobody waits for that: the answer is there. The program does not end before it is done."""
        self.over.set()
        threading.Thread(target=release, args=(self.name,), name="release").start()

    def answers(self, node, request):
        """Whether what it tells next is what is asked now."""
        meant = (request.get("operation"), request.get("run", self.run), request.get("from", 0))
        return node == self.node and meant == ("".join(self.coming[:1]), self.run, 0)


def relay(request, session):
    node, wanted = checked(request["node"]), request["request"]
    unit = kept(session, node, wanted) or Unit(node, submitted(node, request), wanted.get("then", []))
    goes_on = False
    try:
        answer = listened(unit, session)
        unit.run = unit.run or answer.get("run", "")
        goes_on = bool(unit.coming) and answer.get("status") != "running"
        return answer
    finally:
        if goes_on:
            session.unit = unit
        else:
            unit.release()


def kept(session, node, wanted):
    """The unit that answers this, too, if there is one; another one is not wanted any more."""
    unit, session.unit = session.unit, None
    if unit is not None and not unit.answers(node, wanted):
        unit.release()
        return None
    if unit is not None:
        unit.coming.pop(0)
    return unit


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


def listened(unit, session):
    """The answer. Whoever asked may hang up: what then goes on there is what `start` began, and no more."""
    heard = time.monotonic()
    while True:
        try:
            line = unit.lines.get(timeout=0.2)
        except queue.Empty:
            if session.interrupted(0):
                return {"status": "running"}
            if time.monotonic() - heard > unit.silence:
                require_silence_explained(unit)
                heard = time.monotonic()
            continue
        heard, unit.silence = time.monotonic(), SILENT_SECONDS
        if not isinstance(line, bytes):
            raise away(unit.node, line)
        answer = understood(line)
        if "event" in answer:
            session.reply(answer)
        elif isinstance(answer.get("done"), dict):
            return answer["done"]
        elif isinstance(answer.get("failure"), dict):
            raise fault_of(unit.node, answer["failure"])
        elif "bug" in answer:
            raise RuntimeError("on %s: %s" % (unit.node, answer["bug"]))
        elif answer.keys() & {"done", "failure"}:
            raise away(unit.node, "it answers what makes no sense")


def fault_of(node, told):
    """In the node's own words, where they are any."""
    fault = server_fault("%s failed, and does not say how" % node, "", "See what else it says: npx task fleet doctor")
    if isinstance(told.get("kind"), str) and isinstance(told.get("message"), str):
        fault.failure = told
    return fault


def require_silence_explained(unit):
    """What is told over a line that is cut arrives when there is a way again. Where there is one, nobody tells any more."""
    try:
        reached = unit.node in (ask("status").get("RoutingTable") or {})
    except LOST:
        return
    if reached:
        raise away(unit.node, "its work has said nothing for %d s" % unit.silence)


def understood(line):
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def read(unit):
    """Every line of a unit once, over any loss of the connection to Receptor; last, in words, why there is no more."""
    tell = unit.tell
    place, rest, lost_since = 0, bytearray(), None
    while not unit.over.is_set():
        try:
            with control().get_work_results(unit.name, startpos=place) as stream:
                while chunk := stream.read1(1 << 16):
                    place, lost_since = place + len(chunk), None
                    rest += chunk
                    *whole, rest = rest.split(b"\n") if b"\n" in chunk else [rest]
                    for line in whole:
                        tell(bytes(line))
                    if len(rest) > LONGEST:
                        return tell("its work says a line that has no end")
            state = ask("work status %s" % unit.name)
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
