import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { giveKubeconfig } from '../../../lab/client/user.ts';
import { runWorkload } from '../../../lab/client/workload.ts';
import { down, type Lab } from '../../../lab/index.ts';
import { kubectl, longestWait, startWriter, stopWriter } from '../../support/hosts/kubernetes.ts';
import { definitionOf, must, on, raiseLab } from '../../support/hosts/lab.ts';
import { startAsking, stopAsking } from '../../support/hosts/maintenance.ts';
import { planned, project, type Project } from '../../support/project.ts';

const name = 'settings';
const heads = ['cp1', 'cp2', 'cp3'] as const;
const workers = ['worker1', 'worker2'] as const;
let lab: Lab;
let here: Project;
let kubeconfig: string;

beforeAll(async () => {
  lab = await raiseLab(name, { kubernetes: true, workers: 2 });
  here = await project(definitionOf(lab));
  await here.done('render');
  await here.done('apply', '--yes', '--json');
  await here.done('kubeconfig');
  const path = join(here.folder, '.playsmith', name, 'kubeconfig');
  kubeconfig = await readFile(path, 'utf8');
  must(await giveKubeconfig(lab, path));
  must(await runWorkload(lab, () => undefined));
  const budget = ['poddisruptionbudget', 'echo', '--selector=app=echo', '--min-available=1'];
  await kubectl(lab, 'cp1', 'create', ...budget);
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

type Setting = readonly [path: readonly string[], value: unknown];

const settings: readonly Setting[] = [
  [['extraArguments', 'etcd', 'snapshot-count'], '20000'],
  [['kubelet', 'topologyManagerScope'], 'pod'],
];

async function define(...more: readonly Setting[]): Promise<void> {
  const document = parseDocument(definitionOf(lab));
  for (const [path, value] of [...settings, ...more])
    document.setIn(['installer', 'kubeadm', ...path], document.createNode(value));
  await here.define(document.toString());
  await here.done('render');
}

const etcdOf = (host: string): Promise<string> => on(lab, host, 'pgrep', '--list-full', '--exact', 'etcd');

/** What runs, whatever lies there. */
async function expectSettled(): Promise<void> {
  for (const head of heads) expect(await etcdOf(head)).toContain('--snapshot-count=20000');
  for (const node of [...heads, ...workers]) {
    const told = await kubectl(lab, 'cp1', 'get', '--raw', `/api/v1/nodes/${node}/proxy/configz`);
    expect(JSON.parse(told)).toMatchObject({ kubeletconfig: { topologyManagerScope: 'pod' } });
  }
  await here.done('verify');
}

const pods = (): Promise<string> => kubectl(lab, 'cp1', 'get', 'pods', '--output', 'name');

test('members of etcd restart one after the other, and workers are drained where a setting wants it; no accepted write is lost', async () => {
  await define();
  const plan = (await here.done('plan')).stdout;
  expect(plan).toMatch(/snapshot-count: 20000 is added .*etcd/);
  expect(plan).toMatch(/topologyManagerScope: pod is added .*drain/);
  const before = await pods();
  await startWriter(lab, kubeconfig, 'while');
  await startAsking(lab);
  await here.done('apply', '--yes', '--json');
  const longest = await stopAsking(lab);
  const writes = await stopWriter(lab);
  const names = ['get', 'configmaps', '--output', 'jsonpath={.items[*].metadata.name}'];
  const kept = (await kubectl(lab, 'cp2', ...names)).split(' ');
  expect(writes.length).toBeGreaterThan(50);
  expect(writes.filter((write) => !kept.includes(write.name))).toEqual([]);
  process.stderr.write(
    `${writes.length} writes accepted, longest wait ${longestWait(writes).toFixed(1)} s; the workload was not served for ${longest} s at most\n`,
  );
  expect(await pods()).not.toBe(before);
  await expectSettled();
  expect(await planned(here)).toEqual([]);
});

test('a kube-proxy that does not start has its old settings again, with the reason', async () => {
  await define([['kubeProxy', 'nodePortAddresses'], ['10.0.0.0/99']]);
  const failed = await here.task('apply', '--yes', '--json');
  expect(failed.status, failed.said).toBe(20);
  expect(failed.stdout).toContain('It has its old settings again');
  await expectSettled();
});

test('an argument that etcd refuses stops at the first member, and is taken back', async () => {
  await define([['extraArguments', 'etcd', 'snapshot-count'], 'many']);
  const failed = await here.task('apply', '--yes', '--json');
  expect(failed.status, failed.said).toBe(20);
  expect(failed.stdout).toContain(String.raw`invalid value \"many\" for flag -snapshot-count`);
  expect(failed.stdout).toContain('as before');
  await expectSettled();
});

test('and with the definition as it was nothing is left to do', async () => {
  await define();
  await here.done('apply', '--yes', '--json');
  expect(await planned(here)).toEqual([]);
  await expectSettled();
});
