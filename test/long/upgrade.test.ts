import { afterAll, beforeAll, expect, test } from 'vitest';
import { describe as describeLab, down, labArtifacts, type Lab } from '../../tasks/lab/index.ts';
import { kubectl, readiness } from '../support/kubernetes.ts';
import { definitionOf, must, raiseLab } from '../support/lab.ts';
import { project, recapOf, type Project } from '../support/project.ts';

const name = 'upgrade';
const folder = '/home/ops/artifacts-of-the-next';
/** The lab's own code under the name of another version: what is tried is the way, not the versions. */
const next = '1.20.5';
let lab: Lab;
let here: Project;

beforeAll(async () => {
  lab = await raiseLab(name, { kubernetes: true, workers: 1 });
  here = await project(definitionOf(lab));
  await here.done('render');
  await here.done('run', '--json');
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

test('artifacts of the next version are brought to the Ansible server', async () => {
  const built = must(await labArtifacts(() => undefined, { version: next }));
  const known = describeLab(lab).artifacts;
  await here.define(
    definitionOf(lab)
      .replace(known?.sha256 ?? '', built.sha256)
      .replace(known?.path ?? '', folder)
      .replace('1.20.2', next),
  );
  await here.done('render');
  await here.done('artifacts', 'push', '--from', built.folder);
});

test('a node of another version is left alone by the phase that installs programs', async () => {
  const refused = await here.task('run', 'kubernetes-packages');
  expect(refused.status).toBe(20);
  expect(refused.stderr).toContain('npx task run upgrade');
});

test('an upgrade without a snapshot is refused', async () => {
  const refused = await here.task('run', 'upgrade');
  expect(refused.status).toBe(20);
  expect(refused.stderr).toContain('snapshot');
  await here.done('run', 'etcd-backup');
});

test('an upgrade that is cancelled half-way is continued, and every node has the version', async () => {
  const running = here.begin('run', 'upgrade', '--json');
  await running.seen(
    (event) => event.type === 'task-started' && event.name.startsWith('Move the work of the node elsewhere'),
  );
  await here.done('cancel');
  expect((await running.ended).status).toBe(22);
  await here.done('run', 'upgrade', '--json');
  expect(await readiness(lab, 'cp1')).toBe('cp1=True cp2=True cp3=True worker1=True');
  const versions = await kubectl(
    lab,
    'cp1',
    'get',
    'nodes',
    '-o',
    'jsonpath={.items[*].status.nodeInfo.kubeletVersion}',
  );
  expect(versions).toBe([next, next, next, next].map((version) => `v${version}`).join(' '));
  const again = await here.task('run', 'upgrade', '--json');
  expect(Object.values(recapOf(again).recap).map(({ changed }) => changed)).toEqual([0, 0, 0, 0]);
});
