import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { python } from '../support/python.ts';

const folder = mkdtempSync(join(tmpdir(), 'playsmith-locks-'));
const turn = python(
  `import os
from playsmith.guards import lock
from playsmith.fault import Fault
from playsmith.places import Places
places = Places(${JSON.stringify(folder)})
def within(held, wanted):
    """What becomes of who wants to look at one lock while another process, stopped in it, looks at another or the same."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        with lock.alone(places, held):
            os.write(writer, b"in")
            os.kill(os.getpid(), 19)
    os.read(reader, 2)
    lock.TURN_SECONDS = 0.2
    try:
        with lock.alone(places, wanted):
            return "in"
    except Fault as fault:
        return str(fault)
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)`,
  'within(*it)',
);
const machines = python(
  `import json, os, shutil
from playsmith.guards import lock, process
from playsmith.fault import Fault
from playsmith.places import Places, private_folder, write_json
places = Places(${JSON.stringify(join(folder, 'machines'))})
RUN = "20260101T000000Z-site-abcd"
def machine(at):
    return {"name": "n" + at, "at": at}
def taken(cluster, at, pid=None, recorded=True):
    holder = {"who": "Ada", "since": "now", "what": "site.yml", "run": "", "token": "", "process": process.identity(os.getpid())}
    if pid:
        holder.update(run=RUN, process=dict(holder["process"], pid=pid, started="0"))
        private_folder(places.run(cluster, RUN))
        if recorded:
            write_json(os.path.join(places.run(cluster, RUN), "record.json"), {"run": RUN, "ended": None, "process": holder["process"]})
    try:
        lock.take(places, cluster, holder, [machine(each) for each in at])
    except Fault as fault:
        return str(fault)
    return "taken"
def told(steps):
    for each in (places.locks(), places.all_runs()):
        shutil.rmtree(each, ignore_errors=True)
    return [taken(*step) for step in steps]
def at_one_moment():
    """Both have placed their locks before either looks at the other's."""
    shutil.rmtree(places.locks(), ignore_errors=True)
    looks, lock.require_apart = lock.require_apart, lambda *_: None
    taken("b", ["1"])
    lock.require_apart = looks
    return [taken("a", ["1"]), os.path.exists(places.lock("a"))]`,
  'at_one_moment() if it is None else told(it)',
);
const kills = python(
  `import os, tempfile
from playsmith.execution import supervise
def judged(text):
    handle, path = tempfile.mkstemp()
    os.write(handle, text.encode())
    try:
        return supervise.kills(path)
    finally:
        os.unlink(path)`,
  'judged(it)',
);
afterAll(() => {
  turn.close();
  machines.close();
  kills.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a process that was stopped while it looked at a lock stops no other cluster, and its own not for ever', async () => {
  expect(await turn.ask(['a', 'b'])).toBe('in');
  expect(await turn.ask(['a', 'a'])).toContain('has been looking at the lock of this cluster');
});

test.each([
  ...['yes', 'Yes', 'true', 'on', '1', 'y', 't'].map((word) => [word, true] as const),
  ...['no', 'false', 'off', '0'].map((word) => [word, false] as const),
])('KillUserProcesses=%s, as systemd reads it: %s', async (word, expected) => {
  expect(await kills.ask(`[Login]\nKillUserProcesses = ${word}\n`)).toBe(expected);
});

test('a machine that another cluster holds is refused, others are not', async () => {
  expect(
    await machines.ask([
      ['a', ['1', '2']],
      ['b', ['2', '3']],
      ['c', ['3']],
    ]),
  ).toEqual([
    'taken',
    'b cannot run now: n2 (2) of it is a machine of a too. a is locked by Ada since now, for site.yml (run )',
    'taken',
  ]);
});

test('what nobody may touch while a lock is stale, another cluster may not either', async () => {
  const [, refused] = (await machines.ask([
    ['a', ['1', '2'], 4_000_000],
    ['b', ['2', '1']],
  ])) as string[];
  expect(refused).toMatch(
    /^b cannot run now: n1 \(1\), n2 \(2\) of it are machines of a too\. The lock of a is stale/,
  );
});

test("a run that was killed before its record was written stands in nobody's way", async () => {
  const [, other, same] = (await machines.ask([
    ['a', ['1'], 4_000_000, false],
    ['b', ['1']],
    ['a', ['2']],
  ])) as string[];
  expect([other, same]).toEqual(['taken', 'taken']);
});

test('of two that begin at one moment, none overlooks the other, and the refused one leaves no lock', async () => {
  expect(await machines.ask(null)).toEqual([expect.stringContaining('of b too'), false]);
});
