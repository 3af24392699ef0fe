import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { describe as describeLab, down, faults, type Lab } from '../../lab/index.ts';
import { ofCluster, ofFiles, ofServices } from '../support/deviations.ts';
import { etcdctl } from '../support/hosts/etcd.ts';
import { kubectl, readiness } from '../support/hosts/kubernetes.ts';
import { definitionOf, must, on, raiseLab, until } from '../support/hosts/lab.ts';
import { changes, project, type Ended, type Project } from '../support/project.ts';

const name = 'drift';
// The API answers until static pods restart.
const deviations = [...ofFiles, ...ofCluster, ...ofServices];
let lab: Lab;
let here: Project;

beforeAll(async () => {
  lab = await raiseLab(name, { kubernetes: true, controlPlanes: 1, workers: 1 });
  here = await project(marked());
  await here.done('render');
  await here.done('apply', '--yes', '--json');
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

/** A worker with a label and a taint of its own, that DNS and the check's own pods stand. */
function marked(): string {
  const document = parseDocument(definitionOf(lab));
  const { nodes } = document.toJS() as { readonly nodes: readonly { readonly name: string }[] };
  const at = nodes.findIndex((node) => node.name === 'worker1');
  document.setIn(['nodes', at, 'labels'], { zone: 'a' });
  document.setIn(['nodes', at, 'taints'], [{ key: 'dedicated', value: 'cnf', effect: 'PreferNoSchedule' }]);
  return document.toString();
}

interface Row {
  readonly kind: string;
  readonly host: string;
  readonly phase: string;
  readonly task: string;
}

const linesOf = ({ stdout }: Ended): readonly string[] =>
  stdout.split('\n').filter((line) => line.includes('"type":"drift"'));

const rowsOf = (drift: Ended): readonly Row[] => linesOf(drift).map((line) => JSON.parse(line) as Row);

const looked = (): Promise<Ended> => here.task('drift', '--json');

/** What somebody does who takes rows at their word. */
async function heed(rows: readonly Row[]): Promise<void> {
  for (const { host, task } of rows) {
    const advice = task.split(': ').at(-1) ?? '';
    if (/^(chmod|chown|kubectl|systemctl) /.test(advice))
      await on(lab, host, 'env', 'KUBECONFIG=/etc/kubernetes/admin.conf', 'sh', '-c', advice);
  }
}

test('a cluster as it was brought has none', async () => {
  const ended = await looked();
  expect(linesOf(ended)).toEqual([]);
  expect(ended.status).toBe(0);
});

test('forty that were made at once are told, each with its host, and are gone after what the rows say', async () => {
  await etcdctl(lab, 'cp1', 'member', 'add', 'ghost', '--learner', '--peer-urls=https://203.0.113.9:2380');
  for (const { host, by } of deviations) await on(lab, host, 'sh', '-c', by);
  await until('the API answers again', async () => (await readiness(lab, 'cp1')) !== '', 120);
  const drift = await looked();
  const rows = linesOf(drift);
  const untold = deviations.filter(
    ({ host, told }) => !rows.some((row) => row.includes(`"host":"${host}"`) && told.test(row)),
  );
  expect(
    untold.map(({ by }) => by),
    rows.join('\n'),
  ).toEqual([]);
  expect(rows.join('\n')).toContain('etcd has the members');
  expect(drift.status).toBe(25);

  const listed = await etcdctl(lab, 'cp1', 'member', 'list');
  await etcdctl(lab, 'cp1', 'member', 'remove', /^(\w+), unstarted/m.exec(listed)?.[1] ?? '');
  for (const { host, undo } of deviations) if (undo !== undefined) await on(lab, host, 'sh', '-c', undo);
  await heed(rowsOf(drift));
  await here.done('run', '--json');
  await here.done('rotate-certificates', '--json');
  // Pods of CoreDNS came back while one node took none.
  await here.done('run', 'network', '--json');
  expect(linesOf(await looked())).toEqual([]);
  expect(changes(await here.done('run', '--json'))).toEqual({});
  expect(await kubectl(lab, 'cp1', 'get', 'nodes', '--output', 'name')).toBe('node/cp1\nnode/worker1');
});

test('a static pod that runs on as it was, since no kubelet reads its manifest, is told', async () => {
  const path = '/etc/kubernetes/manifests/kube-apiserver.yaml';
  await on(
    lab,
    'cp1',
    ...['sh', '-c'],
    `cp ${path} /root/ && sed -i 's/^    - kube-apiserver$/&\\n    - --v=3/' ${path} &&
      timeout 180 sh -c 'until pgrep --full "kube-apiserver[ ]--v=3" && kubectl --kubeconfig /etc/kubernetes/admin.conf get --raw /readyz; do sleep 1; done' >&2 &&
      systemctl stop kubelet && mv /root/kube-apiserver.yaml ${path}`,
  );
  const drift = await looked();
  const rows = rowsOf(drift);
  expect(rows.map(({ task }) => task)).toContain(
    'kube-apiserver runs with other arguments than its manifest says (--v=3): systemctl restart kubelet',
  );
  await heed(rows);
  await here.done('verify');
  expect(linesOf(await looked())).toEqual([]);
});

test('a control plane that lost a file without which it would not start again is told, with what brings it back', async () => {
  await on(lab, 'cp1', 'mv', '/etc/kubernetes/scheduler.conf', '/root/');
  const drift = await looked();
  expect(linesOf(drift).join('\n')).toMatch(/lacks? .*scheduler\.conf.*npx task heal-node cp1/);
  expect(drift.status).toBe(25);
  await on(lab, 'cp1', 'mv', '/root/scheduler.conf', '/etc/kubernetes/');
  expect(linesOf(await looked())).toEqual([]);
});

test('a foreign host that answers at the virtual address hides nothing else', async () => {
  const { vip } = describeLab(lab);
  await on(lab, 'client', 'ip', 'address', 'add', `${vip}/32`, 'dev', 'lo');
  await on(lab, 'cp1', 'chmod', '644', '/etc/kubernetes/admin.conf');
  const drift = await looked();
  await on(lab, 'client', 'ip', 'address', 'delete', `${vip}/32`, 'dev', 'lo');
  const told = linesOf(drift).join('\n');
  expect(told).toMatch(new RegExp(`"phase":"verify".* answer at ${vip}`));
  expect(told).toContain('admin.conf has the mode 0644');
  expect(drift.status).toBe(25);
  await heed(rowsOf(drift));
});

test('what the kubelet of a node says of its marks removes none that somebody else gave', async () => {
  const asKubelet = (words: string): Promise<string> =>
    on(lab, 'worker1', 'sh', '-c', `kubectl --kubeconfig /etc/kubernetes/kubelet.conf ${words} 2>&1 || true`);
  const marks = '{"labels": ["foreign"], "taints": ["foreign:PreferNoSchedule"]}';
  await kubectl(lab, 'cp1', 'label', 'node', 'worker1', 'foreign=yes');
  await kubectl(lab, 'cp1', 'taint', 'node', 'worker1', 'foreign=yes:PreferNoSchedule');
  expect(await asKubelet(`annotate node worker1 playsmith.dev/marks='${marks}'`)).toContain('annotated');
  expect(await asKubelet(`--namespace kube-system annotate configmap playsmith-marks mine=yes`)).toContain(
    'forbidden',
  );
  await here.define(marked().replace(/^ +labels:\n +zone: a\n/m, ''));
  await here.done('render');
  await here.done('run', 'workers', '--json');
  const node = await kubectl(lab, 'cp1', 'get', 'node', 'worker1', '--output', 'json');
  const { metadata, spec } = JSON.parse(node) as {
    readonly metadata: { readonly labels: Readonly<Record<string, string>> };
    readonly spec: { readonly taints: readonly { readonly key: string }[] };
  };
  expect([metadata.labels['zone'], metadata.labels['foreign']]).toEqual([undefined, 'yes']);
  expect(spec.taints.map(({ key }) => key)).toEqual(expect.arrayContaining(['dedicated', 'foreign']));
  expect(changes(await here.done('run', 'workers', '--json'))).toEqual({});
  await kubectl(lab, 'cp1', 'taint', 'node', 'worker1', 'foreign-');
});

test('a host without power is told, and what differs on the others', async () => {
  must(await faults.power.inject(lab, { host: 'worker1' }));
  await on(lab, 'cp1', 'chmod', '644', '/etc/kubernetes/admin.conf');
  const drift = await looked();
  must(await faults.power.undo(lab, { host: 'worker1' }));
  expect(rowsOf(drift)).toContainEqual(expect.objectContaining({ kind: 'unknown', host: 'worker1' }));
  expect(linesOf(drift).join('\n')).toContain('admin.conf has the mode 0644');
  expect(drift.status).toBe(25);
  await heed(rowsOf(drift));
  await until('worker1 is ready', async () => (await readiness(lab, 'cp1')).includes('worker1=True'), 180);
  // Its pods come back after itself.
  await here.done('verify');
});

test('a service that is stopped is told, and what cannot be looked at without it', async () => {
  await on(lab, 'cp1', 'systemctl', 'stop', 'keepalived');
  const drift = await looked();
  expect(drift.status).toBe(25);
  expect(drift.stdout).toMatch(/"kind":"differs","host":"cp1","phase":"keepalived"/);
  await here.done('run', 'keepalived', '--json');
  expect(linesOf(await looked())).toEqual([]);
});
