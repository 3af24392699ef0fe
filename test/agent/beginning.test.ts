import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { python } from '../support/python.ts';

const folder = mkdtempSync(join(tmpdir(), 'playsmith-beginning-'));
const program = python(
  `import os
from playsmith.execution import supervise
from playsmith.places import Places
places, done = Places(${JSON.stringify(folder)}), []
class Run:
    """One that can begin."""
    id = "r"
    def __init__(self, places, request): pass
    def prepare(self): done.append("began")
    def work(self): done.append("worked")
supervise.Run = Run
def unheard():
    """What becomes of a run whose client is gone before it hears that the run began."""
    reader, writer = os.pipe()
    os.close(reader)
    supervise.supervise(places, {"cluster": "a", "digest": "d"}, writer)
    return done
def killing():
    """Whether processes are ended at logout, by settings with a comment in Latin-1."""
    path = os.path.join(places.root, "logind.conf")
    with open(path, "wb") as file:
        file.write(b"# Gr\\xfc\\xdfe\\n KillUserProcesses = yes\\n")
    return supervise.kills(path)`,
  '{"unheard": unheard, "killing": killing}[it]()',
);
afterAll(() => {
  program.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a run goes on though whoever asked for it is gone', async () => {
  expect(await program.ask('unheard')).toEqual(['began', 'worked']);
});

test('a run begins beside settings of logind that are no UTF-8', async () => {
  expect(await program.ask('killing')).toBe(true);
});
