import { afterAll, beforeAll, expect, test } from 'vitest';
import { down, faults, type Lab } from '../../lab/index.ts';
import { kubectl, readiness } from '../support/hosts/kubernetes.ts';
import { definitionWithout, must, on, raiseLab, until } from '../support/hosts/lab.ts';
import { planned, project, type Project } from '../support/project.ts';

const name = 'life';
let lab: Lab;
let here: Project;

beforeAll(async () => {
  lab = await raiseLab(name, { kubernetes: true, controlPlanes: 1, workers: 3 });
  here = await project(definitionWithout(lab, 'worker2', 'worker3'));
  await here.done('render');
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

async function defined(...gone: readonly string[]): Promise<void> {
  await here.define(definitionWithout(lab, ...gone));
  await here.done('render');
}

const power = async (host: string, way: 'inject' | 'undo'): Promise<void> => {
  must(await faults.power[way](lab, { host }));
};

test('the first plan is the whole cluster; once it is applied nothing is left to do', async () => {
  expect(await planned(here)).toEqual(['instantiate']);
  expect((await here.task('apply')).status).toBe(2);
  await here.done('apply', '--yes', '--json');
  expect(await planned(here)).toEqual([]);
});

test('of two workers that come, one is switched off in the middle: the other is in, resume takes it up', async () => {
  await defined();
  expect(await planned(here)).toEqual(['scale-out worker2 worker3']);
  const running = here.begin('apply', '--yes', '--json');
  await running.seen((event) => event.type === 'task-started' && event.name === 'Copy the packages');
  await power('worker3', 'inject');
  const { status, said } = await running.ended;
  expect([20, 21], said).toContain(status);
  expect(await readiness(lab, 'cp1')).toBe('cp1=True worker1=True worker2=True');
  await power('worker3', 'undo');
  await here.done('resume', 'retry', '--yes', '--json');
  expect(await readiness(lab, 'cp1')).toBe('cp1=True worker1=True worker2=True worker3=True');
  expect(await planned(here)).toEqual([]);
});

test('a client that is killed leaves a lock that says so, and resume goes on', async () => {
  await defined('worker2', 'worker3');
  expect((await planned(here)).slice(0, 2)).toEqual(['scale-in worker2', 'scale-in worker3']);
  const confirmed = ['--yes', '--confirm', 'worker2', '--confirm', 'worker3', '--json'] as const;
  const running = here.begin('apply', ...confirmed);
  await running.seen(
    (event) => event.type === 'task-started' && event.name === 'Drain each node that is there',
  );
  const other = await here.task('apply', ...confirmed);
  expect(other.status, other.said).toBe(15);
  running.process.kill('SIGKILL');
  await running.ended;
  await until('the step has ended', async () => !(await here.done('runs')).stdout.includes('running'), 180);
  expect(await readiness(lab, 'cp1')).toBe('cp1=True worker1=True worker3=True');
  await here.done('resume', 'retry', '--yes', '--confirm', 'worker3', '--json');
  expect(await readiness(lab, 'cp1')).toBe('cp1=True worker1=True');
  expect(await planned(here)).toEqual([]);
});

test('the Ansible server loses its power in the middle: resume goes on where the run was, once it is back', async () => {
  await defined('worker3');
  const running = here.begin('apply', '--yes', '--json');
  await running.seen((event) => event.type === 'task-started' && event.name === 'Import the images');
  await power('ansible', 'inject');
  const { status, said } = await running.ended;
  expect(status, said).not.toBe(0);
  await power('ansible', 'undo');
  await until('it answers', async () => (await here.task('runs')).status === 0, 60);
  await here.done('resume', 'retry', '--yes', '--json');
  expect(await readiness(lab, 'cp1')).toBe('cp1=True worker1=True worker2=True');
  expect(await planned(here)).toEqual([]);
});

test('what was begun is rolled back when somebody says so: nodes that came leave again', async () => {
  await defined();
  const running = here.begin('apply', '--yes', '--json');
  await running.seen((event) => event.type === 'task-started' && event.name === 'Join as a worker');
  await here.done('cancel');
  expect((await running.ended).status).toBe(22);
  await here.done('resume', 'roll-back', '--yes', '--confirm', 'worker3', '--json');
  expect(await readiness(lab, 'cp1')).toBe('cp1=True worker1=True worker2=True');
  // What the run that was cut brought to the other hosts is unknown: phases follow.
  expect((await planned(here))[0]).toBe('scale-out worker3');
  await defined('worker3');
  await here.done('apply', '--yes', '--json');
  expect(await planned(here)).toEqual([]);
});

test('drift finds a changed file, a stopped service and a lost label, and nothing on hosts that have none', async () => {
  await here.done('drift', '--json');
  await on(lab, 'cp1', 'sh', '-c', 'echo "# by hand" >> /etc/haproxy/haproxy.cfg');
  await on(lab, 'worker1', 'systemctl', 'stop', 'containerd');
  await kubectl(lab, 'cp1', 'label', 'node', 'worker1', 'node-role.kubernetes.io/worker-');
  const drifted = await here.task('drift', '--json');
  expect(drifted.status, drifted.said).toBe(25);
  const found = drifted.stdout.split('\n').filter((line) => line.includes('"type":"drift"'));
  expect(found.join('\n')).toContain('"host":"cp1","phase":"haproxy"');
  expect(found.join('\n')).toContain('"host":"worker1","phase":"containerd"');
  expect(found.join('\n')).toContain('"phase":"workers"');
});

test('the phases that drift names bring the hosts back, and the whole cluster is recreated on its machines', async () => {
  for (const phase of ['haproxy', 'containerd', 'workers']) await here.done('run', phase, '--json');
  await here.done('drift', '--json');
  const before = await kubectl(
    lab,
    'cp1',
    'get',
    'namespace',
    'kube-system',
    '-o',
    'jsonpath={.metadata.uid}',
  );
  expect((await here.task('heal-cluster')).status).toBe(2);
  await here.done('heal-cluster', '--confirm', name, '--json');
  expect(await readiness(lab, 'cp1')).toBe('cp1=True worker1=True worker2=True');
  const after = await kubectl(
    lab,
    'cp1',
    'get',
    'namespace',
    'kube-system',
    '-o',
    'jsonpath={.metadata.uid}',
  );
  expect(after).not.toBe(before);
});
