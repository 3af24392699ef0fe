import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { down, exec, faults, type Lab } from '../../lab/index.ts';
import { kubectl, readiness } from '../support/hosts/kubernetes.ts';
import { definitionOf, must, on, raiseLab, until } from '../support/hosts/lab.ts';
import { loseControlPlane } from '../support/hosts/losses.ts';
import { changes, project, recapOf, type Project } from '../support/project.ts';

const name = 'cut';
const allReady = 'cp1=True cp2=True cp3=True worker1=True worker2=True';
let lab: Lab;
let here: Project;

beforeAll(async () => {
  lab = await raiseLab(name, { kubernetes: true, workers: 2 });
  here = await project(definitionOf(lab));
  await here.done('render');
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

/** Tasks in whose middle a run is cut, in order: at least one of every phase that changes something. */
const cuts = [
  'Unpack the packages',
  'Write the settings for the next boot',
  'Write the HAProxy configuration',
  'Start Keepalived now and at boot',
  'Import the images',
  'Install the programs of Kubernetes from the artifacts',
  'Begin to import the images that are not there yet',
  'Initialise the cluster',
  'Join as a control plane',
  'Join as a worker',
  'Write the program that routes, its service, and who has which part of the pod network, and set the routes',
  'Check API servers, etcd, nodes and CoreDNS',
] as const;

test.each(cuts)('a run that is cancelled in the middle of "%s" ends where it is', async (task) => {
  const running = here.begin('run', '--json');
  await running.seen((event) => event.type === 'task-started' && event.name.startsWith(task));
  await here.done('cancel');
  expect((await running.ended).status).toBe(22);
});

test('the next run ends in the same cluster as if nothing had happened', async () => {
  await here.done('run', '--json');
  expect(await readiness(lab, 'cp1')).toBe(allReady);
  const secrets = await kubectl(lab, 'cp1', '-n', 'kube-system', 'get', 'secrets', '-o', 'name');
  expect(secrets).not.toContain('bootstrap-token-');
  expect(secrets).not.toContain('kubeadm-certs');
  const again = await here.task('run', '--json');
  expect(Object.values(recapOf(again).recap).map(({ changed }) => changed)).toEqual([0, 0, 0, 0, 0]);
});

test.each(['node-prerequisites', 'containerd', 'workers', 'network'])(
  'the phase %s alone changes nothing then',
  async (phase) => {
    const ended = await here.done('run', phase, '--json');
    expect(Object.values(recapOf(ended).recap).map(({ changed }) => changed)).toEqual([0, 0, 0, 0, 0]);
  },
);

test('images whose import was cut off are imported, once', async () => {
  const copy = '/var/lib/playsmith/images-node.tar';
  await on(lab, 'worker1', 'touch', copy);
  expect(changes(await here.done('run', 'containerd', '--json'))).toEqual({ worker1: 2 });
  expect((await exec(lab, 'worker1', ['test', '-e', copy])).ok).toBe(false);
  expect(changes(await here.done('run', 'containerd', '--json'))).toEqual({});
});

test.each([
  ['cp2', 'cp3'],
  ['cp3', 'cp1'],
])('no accepted write is lost when %s loses its power', async (victim, witness) => {
  await here.done('kubeconfig');
  const kubeconfig = await readFile(join(here.folder, '.playsmith', name, 'kubeconfig'), 'utf8');
  const lost = await loseControlPlane(lab, victim, { kubeconfig, allReady, witness });
  process.stderr.write(`${victim} lost: the longest wait of a writer was ${lost.longestWait.toFixed(1)} s\n`);
  expect(lost.missing).toEqual([]);
  expect(lost.accepted).toBeGreaterThan(20);
});

test('the cluster comes back by itself after all control planes lost their power', async () => {
  const controlPlanes = ['cp1', 'cp2', 'cp3'];
  await Promise.all(controlPlanes.map((host) => faults.power.inject(lab, { host })));
  for (const host of controlPlanes) must(await faults.power.undo(lab, { host }));
  await until('all are back', async () => (await readiness(lab, 'cp1')) === allReady, 240);
  await here.done('run', 'verify', '--json');
});
