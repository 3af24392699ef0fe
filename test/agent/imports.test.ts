import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { agentFolder } from '../../tasks/runtime/package.ts';
import { python } from '../support/python.ts';

const server = python(
  'import sys; from playsmith import agent; from playsmith.guards import containment; from playsmith.execution import supervise',
  '[name for name in it if name in sys.modules]',
);

afterAll(() => {
  server.close();
});

test('whoever starts a run reads nothing that speaks with receivers or unpacks archives', async () => {
  const costly = ['http.client', 'ssl', 'tarfile', 'playsmith.messages.post', 'playsmith.messages.ara'];
  expect(await server.ask([...costly, 'playsmith.execution.run'])).toEqual(['playsmith.execution.run']);
});

/** What the loader makes of these modules: the last one says which it was given. */
function loaded(sources: Readonly<Record<string, string>>): string {
  const loader = readFileSync(join(agentFolder, 'loader.py'), 'utf8');
  const program = `import json, sys; exec(sys.stdin.read(), {"sources": json.loads(sys.argv[1])})`;
  const { stdout, stderr } = spawnSync('/usr/bin/python3', ['-I', '-c', program, JSON.stringify(sources)], {
    input: loader,
    encoding: 'utf8',
  });
  return stdout + stderr;
}

test('the loader finds modules and packages of ours alone, and asks for nothing that costs more than itself', () => {
  const agent = [
    'import sys, importlib.util',
    'def main():',
    '  from playsmith.room import door',
    '  strangers = [importlib.util.find_spec(name) for name in ("playsmithing", "playsmith.none")]',
    '  print(door.NAME, strangers, "importlib.resources" in sys.modules)',
  ];
  const sources = { 'playsmith.agent': agent.join('\n'), 'playsmith.room.door': 'NAME = __name__' };
  expect(loaded(sources)).toBe('playsmith.room.door [None, None] False\n');
});
