import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { python } from '../support/python.ts';

const folder = mkdtempSync(join(tmpdir(), 'playsmith-damaged-'));
const locks = python(
  `import os, shutil
from playsmith.guards import lock, process
from playsmith.fault import Fault
from playsmith.places import Places
places = Places(${JSON.stringify(folder)})
def holder():
    return {"who": "Ada", "since": "now", "what": "site.yml", "run": "", "token": "", "process": process.identity(os.getpid())}
def damaged(name, text):
    shutil.rmtree(places.locks(), ignore_errors=True)
    lock.take(places, "a", holder(), [{"name": "n", "at": "1"}])
    with open(os.path.join(places.lock("a"), name), "w") as file:
        file.write(text)
def said(work):
    try:
        return work()
    except Fault as fault:
        return fault.failure["message"] + " " + fault.failure["next"]
def held(name, text):
    damaged(name, text)
    return [
        lock.read(places, "a")["alive"],
        said(lambda: lock.take(places, "a", holder())),
        said(lambda: lock.unlock(places, "a", False)),
        said(lambda: lock.unlock(places, "a", True)["removed"]),
        lock.read(places, "a"),
    ]
def shared(text):
    damaged("machines.json", text)
    return said(lambda: lock.take(places, "b", holder(), [{"name": "n", "at": "2"}]))`,
  'held("holder.json", it["holder"]) if "holder" in it else shared(it["machines"])',
);
const numbers = python(
  `import os
from playsmith.guards import fencing
from playsmith.places import Places, private_folder
places = Places(${JSON.stringify(join(folder, 'fence'))})
def numbered(text):
    private_folder(places.kept("a"))
    with open(os.path.join(places.kept("a"), fencing.FILE), "w") as file:
        file.write(text)
    return fencing.number(places, "a") > 1700000000`,
  'numbered(it)',
);
const told = python(
  `import os, tempfile
from playsmith.execution.told import MOST, Told
def heard(lines):
    scratch = tempfile.mkdtemp()
    told = Told(scratch)
    with open(told.path, "w") as file:
        file.write("".join("x" * MOST * 2 if line == "long" else line for line in lines))
    return [each["event_data"] for _ in range(4) for each in told.fresh()]`,
  'heard(it)',
);
const jobs = python(
  `import os
from playsmith.schedule import jobs
from playsmith.places import Places, private_folder
places = Places(${JSON.stringify(join(folder, 'jobs'))})
def last(text):
    folder = os.path.join(places.schedule("a"), jobs.LAST)
    private_folder(folder)
    with open(os.path.join(folder, "drift.json"), "w") as file:
        file.write(text)
    return jobs.last(places, "a", "drift")`,
  'last(it)',
);
afterAll(() => {
  for (const program of [locks, numbers, told, jobs]) program.close();
  rmSync(folder, { recursive: true, force: true });
});

const garbage = ['', '\0\0\0\0', '{"who": "Ada", "si', '[]', '7', '"text"', '{}', '{"process": []}'];

describe('a lock whose holder a disk or a person damaged', () => {
  test.each(garbage)('is held by somebody who may go on: %j', async (holder) => {
    const [alive, taken, unlocked, forced, after] = (await locks.ask({ holder })) as unknown[];
    expect(alive).toBe(null);
    for (const each of [taken, unlocked])
      expect(each).toMatch(/^The lock of a is damaged: .*`npx task unlock --force`$/);
    expect([forced, after]).toEqual([true, null]);
  });

  test.each(['{"process": {"boot": 1}}', '{"process": {"host": 1, "pid": "x"}}'])(
    'is no bug either: %s',
    async (holder) => {
      const [, taken] = (await locks.ask({ holder })) as unknown[];
      expect(taken).toContain('a is locked by unknown');
    },
  );
});

test.each([...garbage.filter((text) => text !== '[]'), '{"1": "2"}'])(
  'a lock whose machines cannot be read may hold every machine: %j',
  async (machines) => {
    expect(await locks.ask({ machines })).toMatch(
      /^b cannot run now: perhaps a machine of it is a machine of a too/,
    );
  },
);

test.each([...garbage, '{"number": "7"}'])('a damaged number of the fence is no bug: %j', async (text) => {
  expect(await numbers.ask(text)).toBe(true);
});

test('what a program tells of itself ends nothing, whatever it is', async () => {
  const good = '{"name": "one", "number": 1}\n';
  const lines = [
    '{"name": "x", "number": Infinity}\n',
    `${'['.repeat(30_000)}\n`,
    '[1]\n',
    'long',
    '\n',
    good,
  ];
  expect(await told.ask(lines)).toEqual([{ name: 'one', number: 1 }]);
});

test.each([...garbage, '{"run": 1}'])('how a job ended the last time is not known from %j', async (text) => {
  expect(await jobs.ask(text)).toBe(null);
});
