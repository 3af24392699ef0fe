import { parseDocument } from 'yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { down, faults, labArtifacts, type Lab } from '../../../lab/index.ts';
import { labReleases } from '../../../lab/kubernetes/releases.ts';
import { kubectl, readiness } from '../../support/hosts/kubernetes.ts';
import { definitionOf, must, on, raiseLab, until } from '../../support/hosts/lab.ts';
import { changes, planned, project, type Project } from '../../support/project.ts';
import { definitionWith } from '../../support/definitions/releases.ts';
import { there } from '../../support/there.ts';

const name = 'upgradefault';
const before = there(labReleases.at(-2));
const after = there(labReleases.at(-1));
const allReady = 'cp1=True worker1=True worker2=True';
let lab: Lab;
let here: Project;

// An upgrade that fails by itself: at kubeadm, which steps back, and at a node that is lost on the way.
beforeAll(async () => {
  const built = must(await labArtifacts(() => undefined));
  lab = await raiseLab(name, {
    ...{ kubernetes: true, kubernetesVersion: before.kubernetes, controlPlanes: 1, workers: 2 },
  });
  here = await project(definitionOf(lab));
  await here.done('render');
  await here.done('apply', '--yes', '--json');
  await kubectl(lab, 'cp1', 'create', 'configmap', 'from-before');
  await here.define(definitionWith(lab, built, '/home/ops/artifacts-of-the-next'));
  await here.done('render');
  await here.done('artifacts', 'push', '--from', built.folder);
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

test('an API server of the new version that does not start: kubeadm steps back, and the cluster serves as before', async () => {
  await argument('nobody.example.org/v1=true');
  const { status, said, events } = await here.task('apply', '--yes', '--json');
  expect(status, said).toBe(20);
  const failed = {
    type: 'host-finished',
    host: 'cp1',
    task: 'Upgrade the control plane with kubeadm',
    status: 'failed',
  };
  expect(events).toContainEqual(expect.objectContaining(failed));
  await until(
    'the API server of before answers',
    async () => (await readiness(lab, 'cp1')) === allReady,
    120,
  );
  expect(await kubectl(lab, 'cp1', 'version')).toContain(`Server Version: v${before.kubernetes}`);
  expect(await kubectl(lab, 'cp1', 'get', 'configmap', 'from-before', '-o', 'name')).toBe(
    'configmap/from-before',
  );
  // etcd came up, so it stays at the new version.
  expect(await on(lab, 'cp1', 'cat', '/etc/kubernetes/manifests/etcd.yaml')).toContain(
    `etcd:${after.etcd}-0`,
  );
  expect(await kubelets()).toBe([before, before, before].map(versionOf).join(' '));
});

test('once its cause is mended the upgrade is taken up; a worker without power stops it before the next one', async () => {
  await argument(undefined);
  const running = here.begin('resume', 'retry', '--yes', '--json');
  await running.seen(
    (event) =>
      event.type === 'host-finished' &&
      event.task === 'Upgrade the control plane with kubeadm' &&
      event.host === 'worker1',
  );
  must(await faults.power.inject(lab, { host: 'worker1' }));
  const { status, said } = await running.ended;
  expect([20, 21], said).toContain(status);
  expect(await kubelets()).toBe([after, before, before].map(versionOf).join(' '));
});

test('and ends on every node once that one has power again', async () => {
  must(await faults.power.undo(lab, { host: 'worker1' }));
  await here.done('resume', 'retry', '--yes', '--json');
  expect(await readiness(lab, 'cp1')).toBe(allReady);
  expect(await kubelets()).toBe([after, after, after].map(versionOf).join(' '));
  const marks = await kubectl(lab, 'cp1', 'get', 'nodes', '-o', 'jsonpath={.items[*].spec.unschedulable}');
  expect(marks).toBe('');
  expect(await planned(here)).toEqual([]);
  expect(changes(await here.done('run', 'upgrade', '--json'))).toEqual({});
});

test('the snapshot of before is restored under the new version, and an upgrade then brings the cluster after it again', async () => {
  await kubectl(lab, 'cp1', 'create', 'configmap', 'from-after');
  const restore = ['etcd_restore_snapshot=latest', `etcd_restore_confirm=${name}`];
  await here.done('run', 'etcd-restore', ...restore.flatMap((word) => ['--set', word]), '--json');
  await until('all are back', async () => (await readiness(lab, 'cp1')) === allReady, 240);
  const kept = await kubectl(lab, 'cp1', 'get', 'configmaps', '--output', 'name');
  expect(kept).toContain('configmap/from-before');
  expect(kept).not.toContain('configmap/from-after');
  expect(await proxyImage()).toBe(`registry.k8s.io/kube-proxy:${versionOf(before)}`);
  // The snapshot is of the time when a person had told kubeadm what no API server takes.
  await argument(undefined);
  await here.done('run', 'upgrade', '--json');
  expect(await proxyImage()).toBe(`registry.k8s.io/kube-proxy:${versionOf(after)}`);
  await here.done('run', 'verify', '--json');
});

const proxyImage = (): Promise<string> =>
  kubectl(
    lab,
    'cp1',
    ...['--namespace=kube-system', 'get', 'daemonset', 'kube-proxy'],
    ...['-o', 'jsonpath={.spec.template.spec.containers[*].image}'],
  );

const versionOf = ({ kubernetes }: typeof after): string => `v${kubernetes}`;

const kubelets = (): Promise<string> =>
  kubectl(lab, 'cp1', 'get', 'nodes', '-o', 'jsonpath={.items[*].status.nodeInfo.kubeletVersion}');

/** Gives the API servers an argument, in what kubeadm reads of the cluster, as a person does with `kubectl edit`; or takes it away. */
async function argument(value: string | undefined): Promise<void> {
  const at = ['--namespace=kube-system', 'configmap', 'kubeadm-config'];
  const text = await kubectl(lab, 'cp1', 'get', ...at, '-o', 'jsonpath={.data.ClusterConfiguration}');
  const document = parseDocument(text);
  const { apiServer } = document.toJS() as {
    readonly apiServer?: { readonly extraArgs?: readonly Argument[] };
  };
  const others = (apiServer?.extraArgs ?? []).filter(({ name: each }) => each !== 'runtime-config');
  const all = value === undefined ? others : [...others, { name: 'runtime-config', value }];
  document.setIn(['apiServer', 'extraArgs'], document.createNode(all));
  const data = { ClusterConfiguration: document.toString() };
  await kubectl(lab, 'cp1', 'patch', ...at, '--type=merge', `--patch=${JSON.stringify({ data })}`);
}

interface Argument {
  readonly name: string;
  readonly value: string;
}
