import fc from 'fast-check';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Result } from '../../generators/result.ts';
import { explain, type Failure } from '../../tasks/runtime/failures.ts';
import type { Server } from '../../tasks/runtime/server.ts';
import type { Session } from '../../tasks/steps/session.ts';
import { takeKubeconfig } from '../../tasks/steps/kubeconfig.ts';
import { readLife } from '../../tasks/steps/life.ts';
import { cancel, unlock } from '../../tasks/steps/lock.ts';
import { push } from '../../tasks/steps/push.ts';
import { fetchRecord } from '../../tasks/steps/record.ts';
import { log, runs } from '../../tasks/steps/runs.ts';
import { takeSnapshot } from '../../tasks/steps/snapshot.ts';
import { start } from '../../tasks/steps/start.ts';
import { locally, meta, watch } from '../support/ansible-server.ts';
import { playbookBundle } from '../support/bundles.ts';

let directory: string;
let here: string;

/** A server on which the program that Playsmith sends is never run: another one answers in its place. */
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'playsmith-liar-'));
  mkdirSync(join(directory, 'venv', 'bin'), { recursive: true });
  cpSync('test/support/liar.py', join(directory, 'venv', 'bin', 'python'));
  chmodSync(join(directory, 'venv', 'bin', 'python'), 0o755);
});
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

const world = () => ({ cwd: here, report: () => undefined, print: () => undefined });
const session = (server: Server): Session => ({
  cluster: { name: 'try' } as Session['cluster'],
  file: join(here, 'cluster.yml'),
  text: '',
  server,
});
const bundle = playbookBundle('---\n');
const latest = { cluster: 'try', run: '' };
const readers: Readonly<Record<string, (server: Server) => Promise<Result<unknown, Failure>>>> = {
  runs: (server) => runs(server, { cluster: 'try' }),
  logs: (server) => log(server, { ...latest, print: () => undefined }),
  record: (server) => fetchRecord(server, { ...latest, folder: here }),
  attach: async (server) => (await watch(server, 'x')).followed,
  cancel: (server) => cancel(server, { ...latest, who: 'Ada' }),
  unlock: (server) => unlock(server, { cluster: 'try', force: false }),
  plan: (server) => readLife(server, 'try'),
  push: (server) => push(server, bundle),
  run: (server) => start(server, { bundle, playbook: 'site.yml', options: {}, secrets: new Map(), meta }),
  gc: (server) => server.agent().ask('gc', { cluster: 'try', runs: 1, days: 1, who: 'Ada', check: false }),
  kubeconfig: (server) => takeKubeconfig(session(server), { to: undefined, force: true }, world()),
  backup: (server) => takeSnapshot(session(server), { to: join(here, 'copies') }, world()),
};

/** Words that a path, a terminal or a shell would act on, under names that answers have, in shapes that they may not have. */
const names = [
  ...[
    'run',
    'runs',
    'locks',
    'status',
    'recap',
    'ended',
    'started',
    'meta',
    'options',
    'failures',
    'tail',
    'tasks',
  ],
  ...[
    'folder',
    'files',
    'there',
    'partial',
    'removed',
    'holder',
    'unstopped',
    'applied',
    'digest',
    'journal',
    'lock',
  ],
  ...[
    'warnings',
    'kind',
    'message',
    'evidence',
    'next',
    'type',
    'text',
    'data',
    'counter',
    'number',
    'bytes',
    '__proto__',
  ],
];
const words = [
  ...[
    '../../../.bashrc',
    '/etc/passwd',
    '.',
    '..',
    'a/b',
    '~',
    '-rf',
    '$(id)',
    '`id`',
    '"; id',
    '\u001b[2J',
    '\u202e',
  ],
  ...[
    'successful',
    'running',
    'lost',
    'server',
    'locked',
    'drift',
    'lab',
    'host-finished',
    '20261124T000000Z-x-0000',
    '',
  ],
  ...['{"steps":[]}', '{"facts":null}', '{}', '[]', 'null', 'a\nb', 'x'.repeat(5000)],
];
const lie = fc.letrec<{ readonly value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    fc.constantFrom<unknown>(null, true, false, 0, -1, 1e308, ...words),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 6 }),
  ),
})).value;
const answers = fc
  .array(fc.record({ said: fc.constantFrom('event', 'event', 'done', 'failure'), value: lie }), {
    maxLength: 3,
  })
  .chain((before) => lie.map((last) => [...before, { said: 'done', value: last }]))
  .map(
    (all) =>
      `{"hello":"playsmith"}\n${all.map(({ said, value }) => JSON.stringify({ [said]: value })).join('\n')}\n{"done":7}\n`,
  );

describe.each(Object.entries(readers))('whatever the Ansible server answers to %s', (_, read) => {
  test('is an answer or a failure here, and writes nothing beside what is kept here', async () => {
    await fc.assert(
      fc.asyncProperty(answers, async (text) => {
        here = mkdtempSync(join(tmpdir(), 'playsmith-here-'));
        writeFileSync(join(directory, 'lies'), text);
        const server = await locally(directory);
        const result = await read(server);
        await server.close();
        // eslint-disable-next-line no-control-regex -- what a terminal obeys is what is looked for
        if (!result.ok) expect(explain(result.failure)).not.toMatch(/[\u0000-\u0008\u001b\u202e]/);
        expect(readdirSync(here).filter((name) => !['.playsmith', 'copies', 'runs'].includes(name))).toEqual(
          [],
        );
        rmSync(here, { recursive: true, force: true });
      }),
      { numRuns: 8 },
    );
  });
});
