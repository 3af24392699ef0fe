import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { profile } from '../../generators/definition/profiles/profiles.ts';
import { nothingApplied, type AppliedState } from '../../generators/plan/applied.ts';
import { apply } from '../../tasks/commands/run/apply.ts';
import { plan } from '../../tasks/commands/review/plan.ts';
import { render } from '../../tasks/commands/review/render.ts';
import { run as runTask } from '../../tasks/commands/run/run.ts';
import { resume } from '../../tasks/commands/run/resume.ts';
import type { Outcome, Task } from '../../tasks/task.ts';
import type { World } from '../../tasks/runtime/world.ts';
import { failure, value } from '../support/server/ansible-server.ts';
import { allApplied as applied } from '../support/server/applied.ts';

let here: string;
const printed: string[] = [];

const definition = (port = 8443): string =>
  profile('ha-stacked', {
    name: 'try',
    ansibleServer: 'local',
    network: { nodeSubnet: '192.0.2.0/24' },
    ssh: { user: 'ops', privateKey: '~/.ssh/id_ed25519' },
    endpoint: { address: '192.0.2.80/24', port },
    machines: ['a', 'b', 'c', 'd'].map((name, index) => ({
      name,
      roles: [name === 'd' ? 'worker' : 'control-plane'],
      address: `192.0.2.1${index}`,
      ssh: {
        hostKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMWF5R/rGki6T+Vb4BMpf3PZzZ3P+ldk4MJKR8K07W36',
      },
    })),
  });

const home = process.env['HOME'];
beforeEach(() => {
  // `ansibleServer: local` keeps its files in ~/playsmith.
  here = mkdtempSync(join(tmpdir(), 'playsmith-here-'));
  process.env['HOME'] = here;
  printed.length = 0;
});
afterEach(() => {
  process.env['HOME'] = home;
  rmSync(here, { recursive: true, force: true });
});

const world = (more: Partial<World> = {}): World => ({
  cwd: here,
  report: () => undefined,
  print: (text) => {
    printed.push(text);
  },
  json: false,
  isTerminal: false,
  ask: () => Promise.resolve(undefined),
  commandLine: ['task', 'plan'],
  ...more,
});
const run = (task: Task, values: object, around: World): Promise<Outcome> =>
  task.run(values as never, around);
const place = { file: 'cluster.yml', output: 'playbooks' };
const nobody = { ...place, yes: false, confirm: [], set: [], plan: undefined };
const define = async (text: string): Promise<void> => {
  writeFileSync(join(here, 'cluster.yml'), text);
  value(await run(render, { ...place, check: false }, world()));
};

/** As after a run of all of the definition that lies there. */
const allApplied = (): Promise<void> => applied(join(here, 'playsmith'), place, world());

test('a plan of a cluster that nobody built is all of it, and keeps a copy of what is applied', async () => {
  await define(definition());
  value(await run(plan, place, world()));
  expect(printed.join('\n')).toMatch(
    /^try: 1 step, from nothing applied yet[^]*1\. instantiate[^]*\nplan [0-9a-f]{12}$/,
  );
  expect(JSON.parse(readFileSync(join(here, '.playsmith/applied/try.json'), 'utf8'))).toEqual(nothingApplied);
});

test('a plan as JSON is one line with its steps', async () => {
  await define(definition());
  await allApplied();
  value(await run(plan, place, world({ json: true })));
  expect(printed).toHaveLength(1);
  expect(JSON.parse(printed[0] ?? '')).toMatchObject({ type: 'plan', steps: [], refused: [] });
});

test('an apply runs nothing where nobody can be asked, or where it is another plan', async () => {
  await define(definition());
  expect(failure(await run(apply, nobody, world()))).toMatchObject({
    kind: 'usage',
    next: 'run it again with --yes',
  });
  expect(failure(await run(apply, { ...nobody, yes: true, plan: 'abc' }, world())).kind).toBe('stale');
  expect(failure(await run(apply, { ...nobody, confirm: ['d'] }, world()))).toMatchObject({ kind: 'usage' });
});

test('a dangerous step wants its name, typed or on the command line', async () => {
  await define(definition());
  await allApplied();
  await define(definition().replace(/\n {2}- name: d\n(?: {4}.*\n)+/, '\n'));
  const refused = failure(await run(apply, { ...nobody, yes: true }, world()));
  expect(refused).toMatchObject({ kind: 'usage', next: 'run it again with --confirm d' });
  expect(printed.join('\n')).toContain('scale-in d  !! remove: --confirm d');
  const typed = world({
    isTerminal: true,
    ask: (question) => Promise.resolve(question.includes('Type d ') ? 'd' : 'no'),
  });
  expect(failure(await run(apply, nobody, typed))).toMatchObject({ message: 'nothing was changed' });
});

test('what cannot be done in place is refused with its reason and an exit code of its own', async () => {
  await define(definition());
  await allApplied();
  await define(definition(9443));
  for (const refused of [
    await run(plan, place, world()),
    await run(apply, { ...nobody, yes: true }, world()),
  ])
    expect(failure(refused)).toMatchObject({
      kind: 'refused',
      evidence: expect.stringMatching(
        /^endpoint\.port: 8443 becomes 9443: .*cannot be changed in place/,
      ) as string,
    });
});

test('an apply of what is applied does nothing, and there is nothing to resume', async () => {
  await define(definition());
  await allApplied();
  value(await run(apply, nobody, world()));
  const open = failure(await run(resume, { ...nobody, how: 'retry' }, world()));
  expect(open).toMatchObject({ kind: 'run', message: expect.stringContaining('nothing of try') as string });
});

test('a definition under another name is told whose machines it names, and how the name is changed', async () => {
  await define(definition());
  await allApplied();
  value(await run(plan, place, world()));
  await define(definition().replace('name: try', 'name: other'));
  const haproxy = { ...nobody, playbook: 'haproxy', check: false, confirm: undefined, leader: undefined };
  for (const refused of [
    await run(plan, place, world()),
    await run(apply, { ...nobody, yes: true }, world()),
    await run(runTask, { ...haproxy, target: [], limit: [], tags: [], 'skip-tags': [] }, world()),
  ])
    expect(failure(refused)).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('a, b, c of it are control planes of try') as string,
      next: expect.stringMatching(
        /mv ~\/playsmith\/kept\/try ~\/playsmith\/kept\/other, then npx task owner adopt --from try and npx task run --confirm other/,
      ) as string,
    });

  renameSync(join(here, 'playsmith/kept/try'), join(here, 'playsmith/kept/other'));
  expect(failure(await run(plan, place, world()))).toMatchObject({
    kind: 'refused',
    evidence: expect.stringContaining(
      'npx task owner adopt --from try, then npx task run --confirm other',
    ) as string,
  });
});

test('a definition of other machines, or of those of a cluster that is gone, is a cluster of its own', async () => {
  await define(definition());
  await allApplied();
  value(await run(plan, place, world()));
  await define(definition().replace('name: try', 'name: other').replaceAll('192.0.2.1', '192.0.2.3'));
  value(await run(plan, place, world()));
  await define(definition().replace('name: try', 'name: third'));
  rmSync(join(here, 'playsmith/kept/try'), { recursive: true });
  value(await run(plan, place, world()));
});

test('a restore that failed is taken up by the name of the cluster, as it began', async () => {
  await define(definition());
  await allApplied();
  const file = join(here, 'playsmith/kept/try/applied.json');
  const ledger = JSON.parse(readFileSync(file, 'utf8')) as { readonly base: AppliedState };
  const { bundle = '', cluster } = ledger.base.whole ?? {};
  const effect = { brings: [], touches: [], enters: [], leaves: [], each: false, version: '', reverts: [] };
  const fact = { run: '', operation: 'restore', targets: [], bundle, effect, status: 'failed', recap: {} };
  const snapshots = { [bundle]: { bundle, made: '', cluster, phases: ledger.base.phases } };
  writeFileSync(file, JSON.stringify({ ...ledger, snapshots, facts: [fact] }));
  const again = { ...nobody, how: 'retry', yes: true };
  expect(failure(await run(resume, again, world()))).toMatchObject({
    kind: 'usage',
    next: 'run it again with --confirm try',
  });
  const named = failure(await run(resume, { ...again, confirm: ['try'] }, world()));
  expect(named).toMatchObject({ message: expect.stringContaining('etcd_restore_snapshot') as string });
});

test('an Ansible server that lost its disk is told, and knows again what was applied by the copy that is here', async () => {
  await define(definition());
  await allApplied();
  value(await run(plan, place, world()));
  const kept = join(here, 'playsmith/kept/try');
  const copy = join(here, '.playsmith/applied/try.json');
  const before = readFileSync(copy, 'utf8');
  rmSync(kept, { recursive: true });
  const haproxy = { ...nobody, playbook: 'haproxy', check: false, confirm: undefined, leader: undefined };
  for (const refused of [
    await run(plan, place, world()),
    await run(apply, { ...nobody, yes: true }, world()),
    await run(runTask, { ...haproxy, target: [], limit: [], tags: [], 'skip-tags': [] }, world()),
  ])
    expect(failure(refused)).toMatchObject({
      kind: 'refused',
      message:
        'nothing of try is known to this machine in ~/playsmith, and a, b, c, d were in the cluster when its state was copied from there; nothing was run',
      evidence: expect.stringContaining('~/playsmith/kept/try') as string,
      next: expect.stringMatching(
        /\.playsmith\/applied\/try\.json to ~\/playsmith\/kept\/try\/applied\.json .* rm \S+\.playsmith\/applied\/try\.json$/,
      ) as string,
    });
  expect(readFileSync(copy, 'utf8')).toBe(before);

  mkdirSync(kept, { mode: 0o700 });
  copyFileSync(copy, join(kept, 'applied.json'));
  printed.length = 0;
  value(await run(plan, place, world()));
  expect(printed.join('\n')).toMatch(/^try: nothing to do, from bundle/);
});

test('a cluster that was terminated from elsewhere begins anew, whatever the copy here says', async () => {
  await define(definition());
  await allApplied();
  value(await run(plan, place, world()));
  const file = join(here, 'playsmith/kept/try/applied.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), base: nothingApplied }));
  printed.length = 0;
  value(await run(plan, place, world()));
  expect(printed.join('\n')).toMatch(/^try: 1 step, from nothing applied yet/);
});

test('an Ansible server that knows nothing of what was applied from another is told, with the way to bring it', async () => {
  await define(definition());
  const copy = join(here, '.playsmith/applied/try.json');
  await allApplied();
  value(await run(plan, place, world()));
  const former = '"ansibleServer": { "kind": "ssh", "user": "ansible", "host": "198.51.100.5", "port": 22,';
  const elsewhere = readFileSync(copy, 'utf8').replace(/"ansibleServer": \{\s+"kind": "local",/, former);
  writeFileSync(copy, elsewhere);
  value(await run(plan, place, world()));
  writeFileSync(copy, elsewhere);
  rmSync(join(here, 'playsmith/kept/try'), { recursive: true });
  const haproxy = { ...nobody, playbook: 'haproxy', check: false, confirm: undefined, leader: undefined };
  for (const refused of [
    await run(plan, place, world()),
    await run(apply, { ...nobody, yes: true }, world()),
    await run(runTask, { ...haproxy, target: [], limit: [], tags: [], 'skip-tags': [] }, world()),
  ]) {
    const told = failure(refused);
    expect(told).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('from ansible@198.51.100.5 port 22 in ~/playsmith') as string,
      evidence: expect.stringContaining('~/playsmith/kept/try') as string,
      next: expect.stringMatching(
        /copy ~\/playsmith\/kept\/try .*rm \S+\.playsmith\/applied\/try\.json$/,
      ) as string,
    });
  }
  expect(readFileSync(copy, 'utf8')).toBe(elsewhere);
});
