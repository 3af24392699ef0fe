import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { down, type Lab } from '../../lab/index.ts';
import { kubectl, longestWait, readiness, startWriter, stopWriter } from '../support/hosts/kubernetes.ts';
import { definitionOf, must, on, raiseLab } from '../support/hosts/lab.ts';
import { changes, planned, project, type Project } from '../support/project.ts';

const name = 'reconfigure';
const heads = ['cp1', 'cp2', 'cp3'] as const;
const nodes = [...heads, 'worker1'] as const;
const allReady = nodes.map((node) => `${node}=True`).join(' ');
let lab: Lab;
let here: Project;

beforeAll(async () => {
  lab = await raiseLab(name, { kubernetes: true, workers: 1 });
  here = await project(definitionOf(lab));
  await here.done('render');
  await here.done('apply', '--yes', '--json');
  await here.done('kubeconfig');
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

describe('settings of a running cluster, changed in the definition while a client writes', () => {
  test('are told by the plan, with both sides and with what restarts where', async () => {
    await redefine(settled);
    expect(await planned(here)).toEqual(['reconfigure']);
    const shown = (await here.done('plan')).stdout;
    expect(shown).toContain(
      'extraArguments.apiServer.event-ttl: 2h is added (kube-apiserver restarts on cp1, cp2, cp3',
    );
    expect(shown).toContain('kubelet.maxPods: 120 is added (the kubelet restarts on cp1, cp2, cp3, worker1');
    expect(shown).toContain('api.example.org is added');
  });

  test('would change each node, says check mode, and it changes none', async () => {
    const checked = await here.done('run', 'reconfigure', '--check', '--json');
    expect(Object.keys(changes(checked)).sort()).toEqual([...nodes]);
    expect(await apiServerOf('cp1')).not.toContain('--event-ttl');
  });

  test('are brought by apply, which is cut half-way and taken up; no accepted write is lost', async () => {
    const kubeconfig = await readFile(join(here.folder, '.playsmith', name, 'kubeconfig'), 'utf8');
    await startWriter(lab, kubeconfig, 'while');
    const running = here.begin('apply', '--yes', '--json');
    await running.seen(
      (event) => event.type === 'task-started' && event.name.startsWith('Update the static pods'),
    );
    await here.done('cancel');
    expect((await running.ended).status).toBe(22);
    await here.done('resume', 'retry', '--yes', '--json');
    const writes = await stopWriter(lab);
    const kept = await kubectl(
      lab,
      'cp2',
      'get',
      'configmaps',
      '--output',
      'jsonpath={.items[*].metadata.name}',
    );
    const missing = writes.filter((write) => !kept.split(' ').includes(write.name));
    process.stderr.write(
      `${writes.length} writes accepted, longest wait ${longestWait(writes).toFixed(1)} s\n`,
    );
    expect(writes.length).toBeGreaterThan(50);
    expect(missing).toEqual([]);
  });

  test('are what runs on every node', async () => {
    await expectSettled();
    expect(await readiness(lab, 'cp3')).toBe(allReady);
  });

  test('are brought once: plan, run and check find nothing more', async () => {
    expect(await planned(here)).toEqual([]);
    expect(changes(await here.done('run', 'reconfigure', '--json'))).toEqual({});
    expect(changes(await here.done('run', 'reconfigure', '--check', '--json'))).toEqual({});
  });
});

test('a control plane that joins afterwards has them as well', async () => {
  await here.done('scale-in', 'cp3', '--confirm', 'cp3', '--json');
  // It carries a load balancer too.
  expect(await planned(here)).toEqual(['instantiate']);
  await here.done('apply', '--yes', '--json');
  await expectSettled();
  expect(await planned(here)).toEqual([]);
});

describe('a value that a component refuses', () => {
  test('is taken back by itself, with the reason, and the cluster serves as before', async () => {
    await redefine((text) => settled(text).replace('event-ttl: 2h', 'event-ttl: 2 hours'));
    const failed = await here.task('apply', '--yes', '--json');
    expect(failed.status).toBe(20);
    expect(failed.stdout).toContain(String.raw`invalid argument \"2 hours\" for \"--event-ttl\"`);
    expect(failed.stdout).toContain('as before');
    await expectSettled();
    await here.done('verify');
  });

  test('leaves a kubelet that does not start with its old settings', async () => {
    // Each is a number that the definition may have; only the kubelet knows that the lower one is above the other.
    const wrong = 'maxPods: 120, imageGCHighThresholdPercent: 80, imageGCLowThresholdPercent: 90';
    await redefine((text) => settled(text).replace('maxPods: 120', wrong));
    const failed = await here.task('apply', '--yes', '--json');
    expect(failed.status).toBe(20);
    expect(failed.stdout).toContain('It has its old settings again');
    await expectSettled();
  });

  test('is gone with the definition: what is applied is what runs', async () => {
    await redefine(settled);
    await here.done('apply', '--yes', '--json');
    expect(await planned(here)).toEqual([]);
    await here.done('verify');
  });
});

test('what somebody changed by hand on a host is told by drift, and brought back', async () => {
  const [scheduler, kubelet] = [
    '/etc/kubernetes/manifests/kube-scheduler.yaml',
    '/var/lib/kubelet/config.yaml',
  ];
  await on(lab, 'cp2', 'sed', '-i', 's/--v=3/--v=4/', scheduler);
  await on(lab, 'worker1', 'sed', '-i', 's/maxPods: 120/maxPods: 90/', kubelet);
  const drift = await here.task('drift', '--json');
  expect(drift.status).toBe(25);
  expect(drift.stdout).toMatch(/"host":"cp2","phase":"kubernetes-settings"/);
  expect(drift.stdout).toMatch(/"host":"worker1","phase":"kubernetes-settings"/);
  expect(drift.stdout).toContain('--v=4');
  expect(drift.stdout).toContain('maxPods: 90');
  await here.done('reconfigure', '--json');
  await expectSettled();
});

test('what would be lost is refused before anything is touched', async () => {
  await redefine((text) => settled(text).replace('event-ttl: 2h', 'event-ttl: 2h, etcd-prefix: /other'));
  const refused = await here.task('apply', '--yes');
  expect(refused.status).toBe(18);
  expect(refused.stdout + refused.stderr).toContain('find nothing');
});

/** The definition with every kind of setting changed. */
const settled = (text: string): string =>
  text
    .replace(
      'extraArguments: {',
      'audit: { level: metadata }, certificateSans: [api.example.org], extraArguments: { apiServer: { event-ttl: 2h }, scheduler: { v: "3" },',
    )
    .replace('failCgroupV1: false', 'failCgroupV1: false, maxPods: 120')
    .replace(
      'kubeProxy: {',
      'kubeProxy: { metricsBindAddress: "127.0.0.1:10249", nodePortAddresses: [primary],',
    );

async function redefine(change: (text: string) => string): Promise<void> {
  await here.define(change(definitionOf(lab)));
  await here.done('render');
}

const apiServerOf = (host: string): Promise<string> =>
  on(lab, host, 'pgrep', '--list-full', '--exact', 'kube-apiserver');

/** Looks at what runs, not at what lies there. */
async function expectSettled(): Promise<void> {
  for (const head of heads) {
    const running = await apiServerOf(head);
    expect(running).toContain('--event-ttl=2h');
    expect(running).toContain('--audit-policy-file=');
    expect(await on(lab, head, 'pgrep', '--list-full', '--exact', 'kube-scheduler')).toContain('--v=3');
    expect(
      Number(await on(lab, head, 'stat', '--format=%s', '/var/log/kubernetes/audit/audit.log')),
    ).toBeGreaterThan(0);
    const served = `timeout 10 openssl s_client -connect ${head}:6443 </dev/null 2>/dev/null | openssl x509 -noout -ext subjectAltName`;
    expect(await on(lab, head, 'bash', '-c', served)).toContain('DNS:api.example.org');
  }
  for (const node of nodes) {
    const told = await kubectl(lab, 'cp1', 'get', '--raw', `/api/v1/nodes/${node}/proxy/configz`);
    expect(JSON.parse(told)).toMatchObject({ kubeletconfig: { maxPods: 120 } });
    const asked =
      'import urllib.request as r; print(r.urlopen("http://127.0.0.1:10249/configz").read().decode())';
    expect(await on(lab, node, 'python3', '-c', asked)).toContain('"nodePortAddresses":["primary"]');
  }
}
