import fc from 'fast-check';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { commandLine } from '../../tasks/command-line.ts';
import type { TaskName } from '../../tasks/overview/summaries.ts';
import { registry } from '../../tasks/registry.ts';
import { explain } from '../../tasks/runtime/failures.ts';
import type { World } from '../../tasks/runtime/world.ts';
import type { Outcome } from '../../tasks/task.ts';
import { contents } from '../support/server/ansible-server.ts';
import { liedTo } from '../support/server/lied-to.ts';
import { liesTo, shown, truths, worstLies } from '../support/server/lies.ts';
import { startSshd, type Sshd } from '../support/server/sshd.ts';

/** How each task asks the Ansible server; a task that is new has to say so here. */
const calls: Readonly<Record<TaskName, readonly string[] | 'asks nobody'>> = {
  ...{ init: 'asks nobody', import: 'asks nobody', check: 'asks nobody', versions: 'asks nobody' },
  ...{ schema: 'asks nobody', render: 'asks nobody', diff: 'asks nobody', explain: 'asks nobody' },
  ...{ help: 'asks nobody', lab: 'asks nobody', update: 'asks nobody' },
  trust: ['trust --yes', 'trust worker1 --yes'],
  probe: ['probe --file osa.yml --yes'],
  bootstrap: ['bootstrap --yes', 'bootstrap --file kubespray.yml --archive kubespray.tar.gz --yes'],
  doctor: ['doctor', 'doctor --file kubespray.yml', 'doctor --file osa.yml'],
  artifacts: ['artifacts push --from artifacts'],
  push: ['push'],
  run: ['run', 'run haproxy --check'],
  'scale-out': ['scale-out worker1'],
  'scale-in': ['scale-in worker1 --confirm worker1'],
  'heal-node': ['heal-node worker1'],
  'replace-node': ['replace-node worker1 --confirm worker1'],
  'heal-storage': ['heal-storage --confirm store'],
  'heal-cluster': ['heal-cluster --confirm try'],
  upgrade: ['upgrade'],
  reconfigure: ['reconfigure'],
  'rotate-certificates': ['rotate-certificates'],
  restore: ['restore --confirm try --set etcd_restore_snapshot=latest'],
  terminate: ['terminate --confirm try'],
  'cnf-instantiate': ['cnf-instantiate web'],
  'cnf-update': ['cnf-update web'],
  'cnf-scale': ['cnf-scale web --aspect web --out 1'],
  'cnf-heal': ['cnf-heal web'],
  'cnf-terminate': ['cnf-terminate web --confirm web'],
  'cnf-status': ['cnf-status'],
  plan: ['plan'],
  review: ['review --plan'],
  apply: ['apply --yes'],
  resume: ['resume retry --yes'],
  schedule: ['show', 'install', 'remove'].map((action) => `schedule ${action} --file timed.yml`),
  drill: ['drill etcd-restore --confirm try'],
  verify: ['verify', 'verify --conformance'],
  owner: ['owner'],
  drift: ['drift'],
  kubeconfig: ['kubeconfig', 'kubeconfig --cnf web'],
  export: ['export tacker-vim'],
  patch: ['patch', 'patch worker1 --check'],
  backup: ['backup --to copies'],
  runs: ['runs'],
  logs: ['logs'],
  attach: ['attach'],
  report: ['report', 'report cluster'],
  metrics: ['metrics'],
  cancel: ['cancel'],
  unlock: ['unlock'],
  gc: ['gc'],
  fleet: [
    'run',
    'plan',
    'apply --yes',
    'drift',
    'status',
    'runs',
    'attach',
    'cancel',
    'unlock',
    'doctor',
  ].map((action) => `fleet ${action}`),
};
const asking = Object.values(calls).flatMap((lines) => (lines === 'asks nobody' ? [] : lines));

/** Questions whose answers were bent in every place, by the first task that asks them. */
const worst = new Set<string>();

let sshd: Sshd;
let place: string;
let desk: ReturnType<typeof liedTo>;
const answers = (more: Readonly<Record<string, string>>): void => {
  const honest = Object.entries(truths(join(place, 'files'))).map(([key, value]) => [
    key,
    `${JSON.stringify({ done: value })}\n`,
  ]);
  writeFileSync(
    join(place, 'answers.json'),
    JSON.stringify({ ...Object.fromEntries(honest), shell: shown, ...more }),
  );
};
const noted = (name: string): string =>
  existsSync(join(place, name)) ? readFileSync(join(place, name), 'latin1') : '';

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'playsmith-liar-'));
  cpSync('test/support/server/liar.py', join(place, 'liar'));
  chmodSync(join(place, 'liar'), 0o755);
  mkdirSync(join(place, 'files'));
  sshd = await startSshd([`ForceCommand ${join(place, 'liar')} ${place}`]);
  desk = liedTo({ port: sshd.port, user: userInfo().username, key: sshd.privateKey, hostKey: sshd.hostKey });
  for (const file of desk.definitions) {
    const said: string[] = [];
    const rendered = await perform(`render --file ${file}`, said);
    if (!rendered.ok) throw new Error(`${explain(rendered.failure)}\n${said.join('\n')}`);
  }
  desk.settle();
}, 120_000);
afterAll(() => {
  sshd.close();
  desk.remove();
  rmSync(place, { recursive: true, force: true });
});
beforeEach(() => {
  answers({});
});
afterEach(() => {
  desk.reset();
  for (const name of ['asked', 'heard']) rmSync(join(place, name), { force: true });
});

async function perform(line: string, said: string[] = []): Promise<Outcome> {
  const asked = await commandLine(line.split(' '));
  if (asked === undefined) throw new Error(`nothing is asked by ${line}`);
  const world: World = {
    ...{ cwd: desk.folder, json: false, isTerminal: false, commandLine: ['task', ...line.split(' ')] },
    report: (event) => void said.push(JSON.stringify(event)),
    print: (text) => void said.push(text),
    ask: () => Promise.resolve(undefined),
  };
  return asked.task.run(asked.values as never, world);
}

test('every task says how it asks the Ansible server, or that it asks nobody', () => {
  expect(Object.keys(calls).sort()).toEqual([...registry.keys()].sort());
});

test.each(['check', 'versions', 'schema', 'render', 'diff', 'explain'])('%s asks nobody', async (line) => {
  await perform(line);
  expect(noted('asked')).toBe('');
});

describe.each(asking)('whatever the Ansible server answers to %s,', (line) => {
  test('is an answer or one clear failure here, writes nothing elsewhere, and takes nothing away', async () => {
    const told: string[] = [];
    const honest = await perform(line, told);
    const questions = [...new Set(noted('asked').trim().split('\n'))];
    expect(questions, `${JSON.stringify(honest)} ${told.join('\n')}`).not.toEqual(['']);
    desk.reset();
    const truth = truths(join(place, 'files'));
    const lies = fc
      .constantFrom(...questions)
      .chain((question) => fc.tuple(fc.constant(question), liesTo(truth[question])));
    const fresh = questions.filter((question) => !worst.has(question));
    const examples = fresh.flatMap((question) =>
      worstLies(truth[question]).map((text): [[string, string]] => [[question, text]]),
    );
    for (const question of fresh) worst.add(question);
    await fc.assert(
      fc.asyncProperty(lies, async ([question, text]) => {
        answers({ [question]: text });
        const result = await perform(line);
        // oxlint-disable-next-line no-control-regex -- what a terminal obeys is what is looked for
        if (!result.ok) expect(explain(result.failure)).not.toMatch(/[\u0000-\u0008\u001b\u202e]/);
        expect(desk.strays()).toEqual([]);
        expect(noted('heard') + [...contents(join(place, 'files')).values()].join('')).not.toContain(
          'canary',
        );
        if (desk.isEdited()) expect((await perform('check')).ok).toBe(true);
        desk.reset();
      }),
      {
        numRuns: examples.length + 8,
        includeErrorInReport: true,
        examples,
      },
    );
  }, 300_000);
});

test.each(['runs', 'doctor'])(
  '%s does not wait for the end of what has none, nor keeps it',
  async (line) => {
    answers({ list: 'endless', shell: 'endless' });
    const result = await perform(line);
    expect(result.ok ? '' : explain(result.failure)).toContain('says more than anybody asked for');
  },
  300_000,
);
