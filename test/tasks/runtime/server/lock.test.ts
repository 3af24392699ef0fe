import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { python } from '../../../support/python.ts';

const folder = mkdtempSync(join(tmpdir(), 'playsmith-locks-'));
const turn = python(
  `import os
from playsmith import lock
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
const kills = python(
  `import os, tempfile
from playsmith import supervise
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
