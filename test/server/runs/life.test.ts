import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Result } from '../../../generators/result.ts';
import { planOf, type Plan } from '../../../generators/plan/plan.ts';
import { journalOf, type Journal } from '../../../generators/plan/journal.ts';
import { offersFor } from '../../../generators/plan/resume.ts';
import { runSteps, type Course } from '../../../tasks/apply/steps.ts';
import { openJournal, stoppedRun } from '../../../tasks/apply/stopped.ts';
import { execute } from '../../../tasks/steps/run/execute.ts';
import { prepare } from '../../../tasks/steps/run/prepare.ts';
import type { Failure } from '../../../tasks/runtime/failures.ts';
import type { Event } from '../../../tasks/runtime/events.ts';
import type { Server } from '../../../tasks/runtime/server.ts';
import type { World } from '../../../tasks/runtime/world.ts';
import type { RenderedBundle } from '../../../tasks/steps/bundle/bundle.ts';
import { readLife, snapshotOfRendered, type Life } from '../../../tasks/steps/state/life.ts';
import { unlock } from '../../../tasks/steps/run/lock.ts';
import { failure, locally, serverFolder, value } from '../../support/server/ansible-server.ts';
import { bundleOf, localHost } from '../../support/definitions/bundles.ts';
import { kubeadmCluster } from '../../support/definitions/clusters.ts';

let directory: string;
let here: string;
let server: Server;
const told: Event[] = [];

beforeEach(async () => {
  directory = serverFolder();
  here = mkdtempSync(join(tmpdir(), 'playsmith-here-'));
  server = await locally(directory);
  told.length = 0;
});
afterEach(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
  rmSync(here, { recursive: true, force: true });
});

const cluster = kubeadmCluster({ name: 'try' });
const world: World = {
  get cwd(): string {
    return here;
  },
  report: (event) => {
    told.push(event);
  },
  print: () => undefined,
  json: false,
  isTerminal: false,
  ask: () => Promise.resolve(undefined),
  commandLine: ['task', 'apply'],
};
const revision = { commit: '', dirty: false };

/** A play that succeeds, unless the file is there. */
const play = (name: string, hosts: string, trap: string): string => `---
- name: The play of ${name}
  hosts: ${hosts}
  gather_facts: false
  tasks:
    - name: Look for the trap
      ansible.builtin.command: test ! -e ${trap}
      changed_when: false
`;

const names = cluster.machines.map(({ name }) => name);
const hosts = Object.fromEntries(names.map((name) => [name, localHost]));
const phases = ['host', 'etc-hosts', 'haproxy', 'keepalived', 'containerd', 'verify'];

/** A bundle of stand-ins: playbooks with the names of real ones. `mark` makes another bundle of it. */
function rendered(mark = '', marked: readonly string[] = []): RenderedBundle {
  const text = (name: string): string =>
    `${play(name, 'cp1', join(directory, `trap-${name}`))}${marked.includes(name) ? `# ${mark}\n` : ''}`;
  const bundle = bundleOf(
    {
      'ansible.cfg': '[defaults]\ninventory = inventory\n',
      'inventory/hosts.yml': `${JSON.stringify({
        all: { hosts, children: { kubectl_host: { hosts: { cp1: {} } }, targets: { hosts: {} } } },
      })}\n`,
      ...Object.fromEntries(phases.map((name) => [`${name}.yml`, text(name)])),
      'instantiate.yml': `---\n${phases.map((name) => `- name: Import ${name}\n  ansible.builtin.import_playbook: ${name}.yml\n`).join('')}`,
    },
    'try',
  );
  return {
    ...{ cluster, bundle, file: join(here, 'cluster.yml'), text: '' },
    ...{ folder: here, shownFolder: 'playbooks/try', made: 'now' },
  };
}

const run = async (of: RenderedBundle, playbook: string): Promise<void> => {
  const prepared = value(await prepare(of, { playbook, options: {} }, world));
  await execute({ ...prepared, revision, secrets: new Map(), server }, world);
};
const life = async (): Promise<Life> => value(await readLife(server, 'try'));
const planned = async (of: RenderedBundle): Promise<Plan> =>
  planOf({ applied: (await life()).applied, wanted: snapshotOfRendered(of) });
const courseOf = async (of: RenderedBundle, more: Partial<Course> = {}): Promise<Course> => ({
  ...{
    server,
    rendered: of,
    revision,
    life: await life(),
    insteadOf: '',
    given: [],
    options: {},
    end: 'done',
  },
  journal: journalOf(await planned(of), { who: 'Ada', started: '2026-11-20T21:00:00Z' }),
  ...more,
});
const trap = (name: string): string => join(directory, `trap-${name}`);
const journal = (): Journal =>
  JSON.parse(readFileSync(join(directory, 'kept/try/journal.json'), 'utf8')) as Journal;
const states = (): string[] => journal().steps.map(({ operation, state }) => `${operation} ${state}`);
const started = (): string[] =>
  told.flatMap((event) => (event.type === 'run-started' ? [event.playbook] : []));
const lockFile = (): string => join(directory, 'locks/try/holder.json');

test('a run writes down what it applied, and nothing is left to do', async () => {
  await run(rendered(), 'instantiate');
  const { applied, unfinished } = await life();
  expect(Object.keys(applied.members).sort()).toEqual([...names].sort());
  expect(applied.whole?.bundle).toBe(rendered().bundle.digest);
  expect(unfinished).toBeUndefined();
  expect((await planned(rendered())).steps).toEqual([]);
  const file = join(directory, 'kept/try/applied.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a run that failed, or ran in check mode, brings nothing', async () => {
  await run(rendered(), 'instantiate');
  const changed = rendered('x', ['haproxy']);
  const prepared = value(await prepare(changed, { playbook: 'haproxy', options: { check: true } }, world));
  await execute({ ...prepared, revision, secrets: new Map(), server }, world);
  expect((await planned(changed)).steps.map(({ operation }) => operation)).toEqual(['haproxy', 'verify']);
  writeFileSync(trap('haproxy'), '');
  await run(changed, 'haproxy');
  expect((await life()).unfinished?.operation).toBe('haproxy');
  expect((await planned(rendered())).steps[0]?.reasons).toEqual([
    'a run of haproxy did not complete on every host',
  ]);
  rmSync(trap('haproxy'));
  await run(changed, 'haproxy');
  expect((await planned(changed)).steps).toEqual([]);
});

test('a run of everything is refused like its plan, unless somebody says that hosts are as the definition says', async () => {
  await run(rendered(), 'instantiate');
  const other: RenderedBundle = {
    ...rendered('x', ['haproxy', 'keepalived']),
    cluster: kubeadmCluster({
      name: 'try',
      network: { ...cluster.network, podSubnets: ['10.99.0.0/16'] },
    }),
  };
  const refused = (await planned(other)).refused;
  expect(refused).toHaveLength(1);
  told.length = 0;
  const begun = async (playbook: string, more: object = {}): Promise<Result<void, Failure>> => {
    const prepared = value(await prepare(other, { playbook, options: {}, ...more }, world));
    return execute({ ...prepared, revision, secrets: new Map(), server }, world);
  };
  for (const confirm of [undefined, 'other'])
    expect(failure(await begun('', confirm === undefined ? {} : { confirm }))).toMatchObject({
      kind: 'refused',
      evidence: refused.join('\n'),
      next: expect.stringContaining('npx task run --confirm try') as string,
    });
  expect(started()).toEqual([]);
  value(await begun('', { options: { check: true } }));
  value(await begun('haproxy'));
  expect(started()).toEqual(['instantiate', 'haproxy']);
  expect((await planned(other)).refused).toEqual(refused);
  value(await begun('', { confirm: 'try' }));
  expect((await planned(other)).refused).toEqual([]);
});

test('an apply runs its steps in order under one lock, and its journal says so', async () => {
  await run(rendered(), 'instantiate');
  const changed = rendered('x', ['haproxy', 'keepalived']);
  told.length = 0;
  value(await runSteps(await courseOf(changed), world));
  expect(started()).toEqual(['haproxy', 'keepalived', 'verify']);
  expect(states()).toEqual(['haproxy done', 'keepalived done', 'verify done']);
  expect(journal().state).toBe('done');
  expect(journal().steps.map(({ run: id }) => id)).toEqual(
    told.flatMap((event) => (event.type === 'run-started' ? [event.run] : [])),
  );
  expect(existsSync(lockFile())).toBe(false);
  expect((await planned(changed)).steps).toEqual([]);
});

test('an apply that failed is taken up: done steps are looked at once and not repeated', async () => {
  await run(rendered(), 'instantiate');
  const changed = rendered('x', ['haproxy', 'keepalived']);
  writeFileSync(trap('keepalived'), '');
  expect(failure(await runSteps(await courseOf(changed), world))).toMatchObject({
    kind: 'playbook',
    next: expect.stringContaining('npx task resume') as string,
  });
  expect(states()).toEqual(['haproxy done', 'keepalived failed', 'verify waiting']);
  expect(existsSync(lockFile())).toBe(false);

  rmSync(trap('keepalived'));
  const known = await life();
  const open = openJournal(known, 'try');
  if (open === undefined) throw new Error('there is a journal');
  const failed = open.steps[1]?.run ?? '';
  const stopped = value(await stoppedRun(server, { cluster: 'try', run: failed, folder: here }));
  expect(stopped).toMatchObject({ hosts: ['cp1'], plays: ['The play of keepalived'] });
  const offers = offersFor(open, stopped, changed.bundle.files);
  expect(offers[0]?.steps.map(({ operation }) => operation)).toEqual(['verify', 'keepalived', 'verify']);
  told.length = 0;
  const next = { ...open, steps: [...open.steps.slice(0, 1), ...open.steps.slice(1)] };
  value(
    await runSteps(await courseOf(changed, { journal: next, insteadOf: known.journal?.fence ?? '' }), world),
  );
  expect(started()).toEqual(['keepalived', 'verify']);
  expect(states()).toEqual(['haproxy done', 'keepalived done', 'verify done']);
});

test('an apply is refused when something was run since its plan was made', async () => {
  const course = await courseOf(rendered());
  await run(rendered(), 'haproxy');
  expect(failure(await runSteps(course, world))).toMatchObject({ kind: 'stale' });
  expect(existsSync(lockFile())).toBe(false);
  expect(existsSync(join(directory, 'kept/try/journal.json'))).toBe(false);
});

test('an apply is refused when the definition renders to another bundle than was planned', async () => {
  const { journal: old, ...course } = await courseOf(rendered());
  const changed = { ...course, rendered: rendered('x', ['haproxy']), journal: old };
  expect(failure(await runSteps(changed, world))).toMatchObject({ kind: 'stale' });
  expect(started()).toEqual([]);
});

test('a client whose lock was broken between two steps cannot go on', async () => {
  await run(rendered(), 'instantiate');
  const changed = rendered('x', ['haproxy', 'keepalived']);
  const course = await courseOf(changed);
  told.length = 0;
  let broken = false;
  const breaking: World = {
    ...world,
    report: (event) => {
      told.push(event);
      if (event.type !== 'run-finished' || broken) return;
      broken = true;
      // Another operator's lock stands where the apply's was.
      rmSync(join(directory, 'locks/try'), { recursive: true });
      mkdirSync(join(directory, 'locks/try'));
      writeFileSync(lockFile(), JSON.stringify({ who: 'Eve', what: 'site.yml', run: 'r', fence: 'other' }));
    },
  };
  expect(failure(await runSteps(course, breaking))).toMatchObject({
    kind: 'locked',
    message: expect.stringContaining("no longer this apply's (Eve holds it") as string,
  });
  expect(started()).toEqual(['haproxy']);
  expect(JSON.parse(readFileSync(lockFile(), 'utf8'))).toMatchObject({ who: 'Eve' });
});

test('an apply whose client is gone between two steps is explained, and taken up by its fence alone', async () => {
  await run(rendered(), 'instantiate');
  const changed = rendered('x', ['haproxy']);
  const course = await courseOf(changed);
  const lost = await locally(directory);
  const { life: known, journal: wanted } = course;
  const holding = { cluster: 'try', fence: 'f1', who: 'Ada', what: 'apply', expected: known.digest };
  value(await lost.agent().ask('begin-apply', { ...holding, journal: wanted, machines: [], insteadOf: '' }));
  const meanwhile = failure(await runSteps(course, world));
  expect(meanwhile).toMatchObject({
    kind: 'locked',
    message: expect.stringContaining('between two steps') as string,
  });
  await lost.close();
  await expect.poll(async () => (await life()).lock?.alive, { timeout: 10_000 }).toBe(false);
  expect(failure(await runSteps(course, world))).toMatchObject({
    kind: 'locked',
    next: expect.stringContaining('npx task resume') as string,
  });
  value(await runSteps({ ...course, insteadOf: 'f1' }, world));
  expect(journal().state).toBe('done');
  expect(value(await unlock(server, { cluster: 'try', force: false })).removed).toBe(false);
});

test('an instantiation that failed is taken up from the phase that failed, and is then whole', async () => {
  writeFileSync(trap('keepalived'), '');
  await run(rendered(), 'instantiate');
  const known = await life();
  const open = openJournal(known, 'try');
  if (open === undefined) throw new Error('there is a run to take up');
  rmSync(trap('keepalived'));
  const stopped = value(
    await stoppedRun(server, { cluster: 'try', run: open.steps[0]?.run ?? '', folder: here }),
  );
  const [retry] = offersFor(open, stopped, rendered().bundle.files);
  expect(retry?.steps.map(({ operation }) => operation)).toEqual([
    'verify',
    'keepalived',
    'containerd',
    'verify',
  ]);
  const steps = journalOf(
    { ...(await planned(rendered())), steps: retry?.steps ?? [] },
    { who: 'Ada', started: '' },
  );
  value(await runSteps(await courseOf(rendered(), { journal: steps }), world));
  expect((await life()).applied.whole?.bundle).toBe(rendered().bundle.digest);
  expect((await planned(rendered())).steps).toEqual([]);
});
