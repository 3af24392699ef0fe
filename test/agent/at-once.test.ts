import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { python } from '../support/python.ts';

const folder = mkdtempSync(join(tmpdir(), 'playsmith-at-once-'));
const program = python(
  `import os, shutil, tempfile, time
from playsmith.execution import scratch
from playsmith.files import bundle
from playsmith.guards import lock, process
from playsmith.history import collect, record
from playsmith.places import Places, private_folder, write_json
places = Places(${JSON.stringify(folder)})
RUN = "20260101T000000Z-site-0a1b"
def began():
    """A run that has its lock and its folders, and no record yet. Answers its folder in memory."""
    holder = {"who": "Ada", "since": "now", "what": "site.yml", "run": RUN, "token": "", "process": process.identity(os.getpid())}
    lock.take(places, "a", holder)
    private_folder(places.run("a", RUN))
    return scratch.make(places.run("a", RUN))
def ended(own):
    lock.release(places, "a", RUN)
    shutil.rmtree(own, ignore_errors=True)
    shutil.rmtree(places.runs("a"))
def swept():
    """A client lists runs: between its look at the lock and that at the folders, a run begins."""
    private_folder(places.runs("a"))
    begins, made = record.begins, []
    def looked(*given):
        found = begins(*given)
        if not made:
            made.append(began())
        return found
    record.begins = looked
    try:
        record.sweep(places, "a")
        if not made:
            return True
        return os.path.isdir(made[0])
    finally:
        record.begins = begins
        for own in made:
            ended(own)
def leftover():
    """An archive that another client takes away after its name was read."""
    names, bundle.names = bundle.names, lambda _: [".gone"]
    try:
        bundle.remove_leftovers(places.bundles("a"))
        return True
    finally:
        bundle.names = names
def dropped():
    """Two clusters' gc come upon one folder in memory that nobody owns."""
    place = tempfile.mkdtemp(prefix="playsmith-", dir=places.root)
    hidden, collect.hidden_name = collect.hidden_name, lambda each: shutil.rmtree(each) or each + ".removed"
    try:
        collect.away(place)
        return True
    finally:
        collect.hidden_name = hidden
def pushed():
    """A bundle that lies there for long, and of which a client has just heard that it need not be sent."""
    digest = "a" * 64
    private_folder(places.bundle("a", digest))
    os.utime(places.bundle("a", digest), (1, 1))
    verify, bundle.verify = bundle.verify, lambda *_: None
    try:
        return [collect.old_bundles(places.bundles("a"), "") == [digest], bundle.stat(places, "a", digest)["there"],
                collect.old_bundles(places.bundles("a"), "")]
    finally:
        bundle.verify = verify
        shutil.rmtree(places.bundles("a"))
def forgotten():
    """The folder in memory of a run that goes on for days, of which no process may be looked at."""
    own = began()
    os.utime(own, (1, 1))
    try:
        return own in collect.leftovers(places, "b")
    finally:
        ended(own)`,
  '{"sweep": swept, "leftover": leftover, "dropped": dropped, "pushed": pushed, "forgotten": forgotten}[it]()',
);
const marked = python('from playsmith.guards import containment', 'containment.marked(it)');
afterAll(() => {
  program.close();
  marked.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a run that begins while another client looks at runs keeps its folders', async () => {
  expect(await program.ask('sweep')).toBe(true);
});

test('an archive that another client removes meanwhile is nobody’s bug', async () => {
  expect(await program.ask('leftover')).toBe(true);
});

test('what two clients collect at once is collected', async () => {
  expect(await program.ask('dropped')).toBe(true);
});

test('a bundle that somebody is about to run is collected by nobody', async () => {
  expect(await program.ask('pushed')).toEqual([true, true, []]);
});

test('the folder in memory of a run that goes on is not forgotten, whoever collects', async () => {
  expect(await program.ask('forgotten')).toBe(false);
});

// Only root may have a process run as another user.
test.skipIf(process.getuid?.() !== 0)(
  'a process of another user that shows the mark of a run is none of it',
  async () => {
    const mark = 'f00dfeedf00dfeed';
    const sleeping = ['-c', 'import time; time.sleep(60)'];
    const env = { PLAYSMITH_RUN: mark };
    const all = [
      spawn('/usr/bin/python3', [...sleeping, mark], { uid: 65_534, stdio: 'ignore' }),
      spawn('/usr/bin/python3', sleeping, { uid: 65_534, env, stdio: 'ignore' }),
      spawn('/usr/bin/python3', [...sleeping, mark], { stdio: 'ignore' }),
      spawn('/usr/bin/python3', sleeping, { env, stdio: 'ignore' }),
    ];
    try {
      await Promise.all(all.map((each) => once(each, 'spawn')));
      const own = all.slice(2).map(({ pid }) => pid ?? 0);
      await expect.poll(() => marked.ask(mark), { timeout: 10_000 }).toEqual(own.toSorted((a, b) => a - b));
    } finally {
      for (const each of all) each.kill();
    }
  },
);
