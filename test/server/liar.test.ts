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
  backup: (server) => takeSnapshot(session(server), join(here, 'copies'), world()),
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
/** Answers as they should be, which a liar changes in one place. */
const run = '20261124T000000Z-x-0000';
const counts = { ok: 1, changed: 0, failed: 0, unreachable: 0, skipped: 0, rescued: 0, ignored: 0 };
const brief = {
  ...{ run, cluster: 'try', playbook: 'site.yml', digest: 'd', options: {}, meta, status: 'failed' },
  ...{ started: 't', ended: 't', seconds: 1, recap: { one: counts } },
};
const failure = { host: 'one', task: 'Do', status: 'failed', message: 'm' };
const step = { operation: 'site', state: 'failed', run, bundle: 'd' };
const journal = { fence: 'f', state: 'open', plan: 'p', who: 'w', started: 't', steps: [step] };
const truths: readonly object[] = [
  { ...brief, versions: {}, failures: [failure], tasks: [] },
  { ...brief, failures: [failure], eventsLost: 1, exitStatus: 2, tail: ['t'] },
  { runs: [brief], locks: { try: { who: 'w', since: 't', what: 'x', run, alive: false } } },
  { ...brief, unstopped: ['on one'] },
  { removed: true, holder: { who: 'w' }, unstopped: ['x'] },
  { applied: '{"apiVersion":"playsmith/v1"}', digest: 'd', journal: JSON.stringify(journal), lock: null },
  { there: false, partial: '/tmp/nowhere/x' },
  { run, warnings: ['w'] },
  { runs: [run], bundles: ['d'], logs: ['/l'], leftovers: [], bytes: 1 },
  { folder: '/tmp/nowhere', files: ['kubeconfig', 'etcd-20261124T000000Z.db'] },
];
const nearly = fc.tuple(fc.constantFrom(...truths), fc.nat(), lie).map(([truth, at, value]) => ({
  ...truth,
  [Object.keys(truth)[at % Object.keys(truth).length] ?? '']: value,
}));
const said = fc.record({ said: fc.constantFrom('event', 'event', 'failure', 'done'), value: lie });
const answers = fc
  .tuple(fc.array(said, { maxLength: 2 }), fc.oneof(lie, nearly, nearly))
  .map(([before, last]) => [...before.filter(({ said }) => said === 'event'), { said: 'done', value: last }])
  .chain((all) => said.map((first) => (first.said === 'failure' ? [first] : all)))
  .map((all) =>
    [
      '{"hello":"playsmith"}',
      ...all.map(({ said, value }) => JSON.stringify({ [said]: value })),
      '{"done":7}',
      '',
    ].join('\n'),
  );

describe.each(Object.entries(readers))('whatever the Ansible server answers to %s,', (_, read) => {
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
      { numRuns: 40 },
    );
  });
});
