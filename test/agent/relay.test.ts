import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { python } from '../support/python.ts';

// A Receptor whose unit of work gives what the test says: each part of `parts` is what one connection brings before it is lost.
const stand = `
import base64, io, tempfile, threading, time, types
import time as real
from playsmith import agent
from playsmith.mesh import receptor, relay
from playsmith.fault import Fault

class Control:
    script, calls = {}, []
    def __init__(self, socket): pass
    def close(self): pass
    def simple_command(self, command):
        Control.calls.append(command)
        if command == "status":
            away = Control.calls.count("status") in Control.script.get("awayAt", [])
            return {"RoutingTable": {} if away else {"exec1": "hop", "exec1.example.org": "hop"}, "Version": "1.5.5"}
        if command.startswith("ping"):
            return {"Success": True, "Time": 1500000} if command == "ping exec1" else {"Success": False, "Error": "timeout"}
        if command.startswith("work status"):
            if Control.script.get("hangs"):
                real.sleep(0.05)
            done = not Control.script["parts"] and not Control.script.get("hangs")
            return {"StateName": Control.script["state"] if done else "Running", "StdoutSize": Control.script["size"], "Detail": "exit status 1"}
        return {}
    def submit_work(self, kind, payload, **words):
        Control.calls.append("submit")
        if Control.script.get("refusals"):
            raise RuntimeError(Control.script["refusals"].pop(0))
        Control.payload, Control.words = payload, dict(words, kind=kind)
        return {"unitid": "u1"}
    def get_work_results(self, unit, startpos=0):
        Control.calls.append("results from %d" % startpos)
        if not Control.script["parts"]:
            return io.BytesIO(b"")
        part = Control.script["parts"].pop(0)
        if part == "away":
            raise ConnectionRefusedError("away")
        return io.BytesIO(part.encode())

module = types.ModuleType("receptorctl.socket_interface")
module.ReceptorControl = Control
sys.modules["receptorctl"] = types.ModuleType("receptorctl")
sys.modules["receptorctl.socket_interface"] = module
relay.SILENT_SECONDS, relay.FIRST_SECONDS, relay.LONGEST = 0.3, 1.2, 1000
receptor.time = relay.time = types.SimpleNamespace(sleep=lambda _: None, monotonic=time.monotonic, time=time.time)

class Session:
    def __init__(self): self.told, self.unit = [], None
    def reply(self, value): self.told.append(value)
    def interrupted(self, seconds): return False

def released():
    for thread in threading.enumerate():
        if thread.name == "release":
            thread.join()

def relayed(it):
    Control.script, Control.calls = dict(it["script"], size=sum(len(p) for p in it["script"]["parts"] if p != "away")), []
    session = Session()
    try:
        outcome = relay.relay({"node": it["node"], "program": base64.b64encode(b"PROGRAM").decode(), "request": {"operation": it.get("operation", "x")}}, session)
    except Fault as fault:
        outcome = fault.failure
    released()
    # Whoever still reads the unit finds it ended, before the next one is put in its place.
    if Control.script.get("hangs"):
        Control.script["hangs"] = False
        real.sleep(0.2)
    inner = __import__("json").loads(Control.payload[len(b"PROGRAM"):]) if hasattr(Control, "payload") else None
    return {"outcome": outcome, "told": session.told, "calls": Control.calls, "inner": inner, "words": getattr(Control, "words", None)}

def sequence(it):
    """Several requests in one session, and what is said of each."""
    Control.script, Control.calls = dict(it["script"], size=sum(len(p) for p in it["script"]["parts"])), []
    session, outcomes = Session(), []
    for request in it["requests"]:
        try:
            outcomes.append(relay.relay({"node": "exec1", "program": "", "request": request}, session))
        except Fault as fault:
            outcomes.append(fault.failure)
    released()
    return {"outcomes": outcomes, "told": session.told, "calls": Control.calls, "left": session.unit is not None}

def crowd(count):
    """How many lines wait of a node to which nobody listens, and whether all come in their order once somebody does."""
    Control.script = {"parts": ["".join("%d\\n" % each for each in range(count))], "state": "Succeeded", "size": 0}
    unit = relay.Unit("exec1", "u1", [])
    real.sleep(0.2)
    waiting = unit.lines.qsize()
    return [waiting, [unit.lines.get(timeout=5) for _ in range(count)] == [b"%d" % each for each in range(count)]]

def answering(it):
    """What a node says to a request: every operation answers with what it was asked for, but for one that fails."""
    done = []
    def operation(places, request, session):
        if request["operation"] == it.get("fails"):
            raise Fault("run", "no")
        done.append(request["operation"])
        return {"run": "r1", "asked": request["operation"], "of": request.get("run", "")}
    agent.OPERATIONS = {name: operation for name in ("receive", "start", "follow", "record")}
    session = types.SimpleNamespace()
    request = {"operation": "start", "directory": tempfile.mkdtemp(), "then": ["follow", "record"], "notAfter": time.time() + it.get("late", 60)}
    if "first" in it:
        request["first"] = [{"operation": each} for each in it["first"]]
        return [list(agent.answers(request, session)), done]
    return list(agent.answers(request, session))

def several(operations):
    """What a node says to requests that came as one."""
    def operation(places, request, session):
        if request["operation"] == "record":
            raise Fault("run", "no")
        return [request["operation"], request["alone"], session.alone]
    agent.OPERATIONS = {**{name: operation for name in ("life", "record")}, "several": lambda _, it, session: agent.several(it, session)}
    places, session = {"directory": tempfile.mkdtemp()}, types.SimpleNamespace()
    requests = [dict(places, operation=each) for each in operations]
    return agent.answer(dict(places, operation="several", alone=True, requests=requests), session)

def waiting(it):
    agent.BEAT_SECONDS = it["beat"]
    session = agent.Session()
    session.output, session.alone = io.BytesIO(), True
    session.reply({"event": 1})
    session.interrupted(0.02)
    session.interrupted(0.02)
    return session.output.getvalue().decode().splitlines()[1:]

def timely(seconds):
    try:
        agent.require_timely({"notAfter": time.time() + seconds})
        return "begun"
    except Fault as fault:
        return fault.failure["kind"]
`;

const expression =
  '{"relay": relayed, "timely": timely, "mesh": receptor.mesh, "waiting": waiting, "sequence": sequence, "crowd": crowd, "answering": answering, "several": several}[it["what"]](it["with"])';
let receptor: ReturnType<typeof python>;

beforeAll(() => {
  receptor = python(stand, expression);
});
afterAll(() => {
  receptor.close();
});

interface Relayed {
  readonly outcome: Readonly<Record<string, unknown>>;
  readonly told: readonly unknown[];
  readonly calls: readonly string[];
  readonly inner: Readonly<Record<string, unknown>>;
  readonly words: Readonly<Record<string, unknown>>;
}

const usual = {
  state: 'Succeeded',
  node: 'exec1',
  operation: 'x',
  /** What submissions fail with, one after the other. */
  refusals: [] as readonly string[],
  /** The unit never ends, as Receptor has it after a power cut of the node. */
  hangs: false,
  /** Which question about routes, counted from 1, hears that there is no way to the node. */
  awayAt: [] as readonly number[],
};

async function relayed(parts: readonly string[], special: Partial<typeof usual> = {}): Promise<Relayed> {
  const { node, operation, ...script } = { ...usual, ...special, parts };
  return (await receptor.ask({ what: 'relay', with: { node, operation, script } })) as Relayed;
}

const event = (counter: number): string => `{"event": {"counter": ${counter}}}\n`;
const done = '{"done": {"run": "r1"}}\n';

describe('a request over the mesh', () => {
  test('is signed, goes over TLS, and says until when it may begin', async () => {
    const { outcome, told, inner, words, calls } = await relayed([
      `noise\n{"hello": "x"}\n${event(1)}${done}`,
    ]);
    expect(outcome).toEqual({ run: 'r1' });
    expect(told).toEqual([{ event: { counter: 1 } }]);
    expect(words).toEqual({
      kind: 'playsmith',
      node: 'exec1',
      tlsclient: 'mesh-client',
      ttl: '180s',
      signwork: true,
    });
    expect(inner).toMatchObject({ operation: 'x', alone: true });
    expect(Number(inner['notAfter']) - Date.now() / 1000).toBeGreaterThan(180);
    expect(calls.at(-1)).toBe('work release u1');
  });

  test('is read on from the byte where Receptor was lost, each line once', async () => {
    const first = `${event(1)}{"even`;
    const { outcome, told, calls } = await relayed([first, 'away', `t": {"counter": 2}}\n${done}`]);
    expect(outcome).toEqual({ run: 'r1' });
    expect(told).toEqual([{ event: { counter: 1 } }, { event: { counter: 2 } }]);
    expect(calls.filter((call) => call.startsWith('results'))).toEqual([
      'results from 0',
      `results from ${first.length}`,
      `results from ${first.length}`,
    ]);
  });

  test('whose work ends without an answer is a lost connection', async () => {
    const { outcome, calls } = await relayed([event(1)], { state: 'Failed' });
    expect(outcome).toMatchObject({ kind: 'connection' });
    expect(String(outcome['message'])).toContain('exit status 1');
    expect(calls.at(-1)).toBe('work release u1');
  });

  test('whose work says nothing any more is a lost connection, though Receptor takes it for running', async () => {
    const { outcome, told } = await relayed([event(1)], { hangs: true });
    expect(outcome).toMatchObject({ kind: 'connection' });
    expect(String(outcome['message'])).toContain('its work has said nothing for 0 s');
    expect(told).toHaveLength(1);
  });

  test('whose work has not begun to speak is waited for longer', async () => {
    const { outcome } = await relayed([], { hangs: true });
    expect(String(outcome['message'])).toContain('its work has said nothing for 1 s');
  });

  test('is waited for in silence while there is no way to the node', async () => {
    const { outcome, calls } = await relayed([event(1)], { hangs: true, awayAt: [2, 3] });
    expect(outcome).toMatchObject({ kind: 'connection' });
    expect(calls.filter((call) => call === 'status')).toHaveLength(4);
  });

  test('that fails there, fails here with the same words', async () => {
    const failure = { kind: 'locked', message: 'taken', next: 'wait' };
    expect((await relayed([`${JSON.stringify({ failure })}\n`])).outcome).toEqual(failure);
  });

  test.each(['{"done": 5}', '{"done": ["run"]}', '{"done": null}', '{"failure": "no"}', '{"failure": null}'])(
    'whose answer is %s is a lost connection',
    async (answer) => {
      const { outcome } = await relayed([`${answer}\n`]);
      expect(outcome).toMatchObject({ kind: 'connection' });
      expect(String(outcome['message'])).toContain('it answers what makes no sense');
    },
  );

  test.each(['{}', '{"self": 1}', '{"kind": "locked", "message": 2}'])(
    'whose failure is %s fails in words of our own',
    async (failure) => {
      const { outcome } = await relayed([`{"failure": ${failure}}\n`]);
      expect(outcome).toMatchObject({ kind: 'server', message: 'exec1 failed, and does not say how' });
    },
  );

  test('whose work says a line without an end is a lost connection', async () => {
    const { outcome } = await relayed(['x'.repeat(2000)], { hangs: true });
    expect(outcome).toMatchObject({ kind: 'connection' });
    expect(String(outcome['message'])).toContain('its work says a line that has no end');
  });

  test('is answered behind whatever else the node says', async () => {
    const { outcome } = await relayed([`${'['.repeat(5000)}\n[]\n7\n\n${done}`]);
    expect(outcome).toEqual({ run: 'r1' });
  });

  const broken = 'Remote error: ERROR: read error reading from exec1: no connection to next hop';

  test('whose submission breaks off is submitted again', async () => {
    const { outcome, calls } = await relayed([done], { refusals: [broken, broken], operation: 'start' });
    expect(outcome).toEqual({ run: 'r1' });
    expect(calls.filter((call) => call === 'submit')).toHaveLength(3);
  });

  test.each([
    ['that may be done once only', { operation: 'cancel', refusals: [broken] }],
    ['that the node refuses', { refusals: ['ERROR: could not verify signature: signature is empty'] }],
  ])('%s is not', async (_, special) => {
    const { outcome, calls } = await relayed([done], special);
    expect(outcome).toMatchObject({ kind: 'connection' });
    expect(calls.filter((call) => call === 'submit')).toHaveLength(1);
  });

  test('to what is no name of a node is not submitted', async () => {
    const { outcome, calls } = await relayed([done], { node: 'exec1 --signwork' });
    expect(outcome).toMatchObject({ kind: 'run' });
    expect(calls).toEqual([]);
  });

  test('to a node whose name has a domain is submitted', async () => {
    const { outcome, words } = await relayed([done], { node: 'exec1.example.org' });
    expect(outcome).toEqual({ run: 'r1' });
    expect(words).toMatchObject({ node: 'exec1.example.org' });
  });
});

describe('a run over the mesh', () => {
  const start = { operation: 'start', then: ['follow', 'record'] };
  const follow = { operation: 'follow', run: 'r1', from: 0 };
  const record = { operation: 'record', run: 'r1' };
  const ended = '{"done": {"run": "r1", "status": "successful"}}\n';
  const kept = '{"event": {"data": "x"}}\n{"done": {"run": "r1", "versions": {}}}\n';
  const asked = (requests: readonly object[], parts: readonly string[]): Promise<unknown> =>
    receptor.ask({ what: 'sequence', with: { requests, script: { state: 'Succeeded', parts } } });
  const submits = (calls: readonly string[]): number => calls.filter((call) => call === 'submit').length;

  test('is started, followed and recorded by one unit of work', async () => {
    const seen = (await asked([start, follow, record], [done, event(1), `${ended}${kept}`])) as Sequence;
    expect(seen.outcomes).toEqual([
      { run: 'r1' },
      { run: 'r1', status: 'successful' },
      { run: 'r1', versions: {} },
    ]);
    expect(seen.told).toEqual([{ event: { counter: 1 } }, { event: { data: 'x' } }]);
    expect([submits(seen.calls), seen.calls.at(-1), seen.left]).toEqual([1, 'work release u1', false]);
  });

  test('is looked at once more by the same unit, where it changes what is applied', async () => {
    const more = { ...start, then: ['follow', 'record', 'life'] };
    const life = { operation: 'life', cluster: 'edge' };
    const parts = [done, `${ended}${kept}`, '{"done": {"applied": "x"}}\n'];
    const seen = (await asked([more, follow, record, life, life], parts)) as Sequence;
    expect(seen.outcomes.slice(1, 4)).toEqual([
      { run: 'r1', status: 'successful' },
      { run: 'r1', versions: {} },
      { applied: 'x' },
    ]);
    expect(submits(seen.calls)).toBe(2);
  });

  test.each([
    ['from another event on', { ...follow, from: 7 }],
    ['another run', { ...follow, run: 'r0' }],
    ['the record at once', record],
  ])('that is asked for %s, is asked for by another unit', async (_, request) => {
    const seen = (await asked([start, request], [done, ended])) as Sequence;
    expect(seen.outcomes).toHaveLength(2);
    expect(submits(seen.calls)).toBe(2);
    expect(seen.calls.filter((call) => call.startsWith('work release'))).toHaveLength(2);
  });

  test('that does not begin leaves no unit behind', async () => {
    const seen = (await asked(
      [start],
      ['{"failure": {"kind": "locked", "message": "taken"}}\n'],
    )) as Sequence;
    expect([seen.calls.at(-1), seen.left]).toEqual(['work release u1', false]);
  });

  test('is what follow and record are about on the node, until one of them fails', async () => {
    const answers = (fails: string): Promise<unknown> => receptor.ask({ what: 'answering', with: { fails } });
    const each = (operation: string, of: string): object => ({ done: { run: 'r1', asked: operation, of } });
    expect(await answers('')).toEqual([each('start', ''), each('follow', 'r1'), each('record', 'r1')]);
    expect(await answers('follow')).toEqual([
      each('start', ''),
      { failure: expect.objectContaining({ kind: 'run' }) as unknown },
    ]);
    expect(await answers('start')).toHaveLength(1);
  });

  test('comes with what is done before the run, without which none begins', async () => {
    const answers = (more: object): Promise<unknown> =>
      receptor.ask({ what: 'answering', with: { first: ['receive'], ...more } });
    const each = (operation: string, of: string): object => ({ run: 'r1', asked: operation, of });
    const first = [each('receive', '')];
    const [start, follow, record] = [each('start', ''), each('follow', 'r1'), each('record', 'r1')];
    expect(await answers({})).toEqual([
      [{ done: { ...start, first } }, { done: follow }, { done: record }],
      ['receive', 'start', 'follow', 'record'],
    ]);
    const no = { failure: expect.objectContaining({ kind: 'run', message: 'no' }) as unknown };
    expect(await answers({ fails: 'receive' })).toEqual([[no], []]);
    expect(await answers({ fails: 'start' })).toEqual([[no], ['receive']]);
    const late = { failure: expect.objectContaining({ kind: 'stale' }) as unknown };
    expect(await answers({ late: -60 })).toEqual([[late], []]);
  });
});

interface Sequence {
  readonly outcomes: readonly unknown[];
  readonly told: readonly unknown[];
  readonly calls: readonly string[];
  readonly left: boolean;
}

test('requests that come as one have an answer each, in their order, whatever becomes of the others', async () => {
  const life = { done: ['life', true, true] };
  const no = { failure: expect.objectContaining({ kind: 'run', message: 'no' }) as unknown };
  const bug = { bug: expect.stringContaining("KeyError: 'nothing'") as unknown };
  expect(await receptor.ask({ what: 'several', with: ['life', 'record', 'nothing', 'life'] })).toEqual({
    done: { answers: [life, no, bug, life] },
  });
});

test('work that waits tells from time to time that it is there', async () => {
  expect(await receptor.ask({ what: 'waiting', with: { beat: 0.01 } })).toEqual(['{"beat": true}']);
  expect(await receptor.ask({ what: 'waiting', with: { beat: 60 } })).toEqual([]);
});

test('what a node says faster than anybody takes it does not fill the memory', async () => {
  expect(await receptor.ask({ what: 'crowd', with: 200 })).toEqual([64, true]);
});

test('a request that comes too late is refused', async () => {
  expect(await receptor.ask({ what: 'timely', with: 30 })).toBe('begun');
  expect(await receptor.ask({ what: 'timely', with: -1 })).toBe('stale');
});

test('which nodes answer, and why others do not', async () => {
  expect(await receptor.ask({ what: 'mesh', with: { nodes: ['exec1', 'exec2'] } })).toEqual({
    version: '1.5.5',
    answers: { exec1: 1.5, exec2: 'timeout' },
  });
});
