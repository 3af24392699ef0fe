import { afterAll, beforeAll, expect, test } from 'vitest';
import { down, labArtifacts, type Lab } from '../../lab/index.ts';
import { labReleases, labVersion } from '../../lab/kubernetes/releases.ts';
import { kubectl, readiness } from '../support/hosts/kubernetes.ts';
import { definitionOf, must, on, raiseLab } from '../support/hosts/lab.ts';
import { changes, planned, project, type Project } from '../support/project.ts';
import { definitionWith } from '../support/definitions/releases.ts';
import { there } from '../support/there.ts';

const name = 'upgrade';
const folder = '/home/ops/artifacts-of-the-next';
const before = there(labReleases.at(-2));
const after = there(labReleases.at(-1));
let lab: Lab;
let here: Project;

// From the minor before to the newest one. Every step from the oldest on, with clients that write, and other releases of flannel:
// test/long/upgrade.
beforeAll(async () => {
  expect(after.kubernetes).toBe(labVersion);
  lab = await raiseLab(name, {
    kubernetes: true,
    kubernetesVersion: before.kubernetes,
    controlPlanes: 1,
    workers: 1,
  });
  here = await project(withFlannel(definitionOf(lab)));
  await here.done('render');
  await here.done('apply', '--yes', '--json');
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

const withFlannel = (text: string): string =>
  text.replace('plugin: static-routes', `plugin: { flannel: { version: ${before.flannel} } }`);

const versions = (what: string): Promise<string> =>
  kubectl(lab, 'cp1', 'get', 'nodes', '-o', `jsonpath={.items[*].status.nodeInfo.${what}}`);

test('artifacts of the next minor are brought to the Ansible server', async () => {
  expect(await versions('kubeletVersion')).toBe(`v${before.kubernetes} v${before.kubernetes}`);
  const built = must(await labArtifacts(() => undefined));
  await here.define(withFlannel(definitionWith(lab, built, folder)));
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
});

test('the plan brings artifacts, container runtime and a snapshot before the upgrade', async () => {
  expect((await planned(here)).slice(0, 4)).toEqual(['artifacts', 'containerd', 'etcd-backup', 'upgrade']);
});

test('an upgrade that is cancelled half-way is taken up, and every node has the version', async () => {
  const running = here.begin('apply', '--yes', '--json');
  await running.seen((event) => event.type === 'task-started' && event.name.startsWith('Drain the node'));
  await here.done('cancel');
  expect((await running.ended).status).toBe(22);
  await here.done('resume', 'retry', '--yes', '--json');
  expect(await planned(here)).toEqual([]);
  expect(await readiness(lab, 'cp1')).toBe('cp1=True worker1=True');
  expect(await versions('kubeletVersion')).toBe(`v${after.kubernetes} v${after.kubernetes}`);
  const runtimes = `containerd://${after.containerd} containerd://${after.containerd}`;
  expect(await versions('containerRuntimeVersion')).toBe(runtimes);
  expect(changes(await here.done('run', 'upgrade', '--json'))).toEqual({});
});

test('what kubeadm runs is what it asks for', async () => {
  const images = await kubectl(
    lab,
    'cp1',
    ...['get', 'pods', '--namespace=kube-system', '-o', 'jsonpath={.items[*].spec.containers[*].image}'],
  );
  expect([...new Set(images.split(' '))].sort()).toEqual([
    `registry.k8s.io/coredns/coredns:v${after.coredns}`,
    `registry.k8s.io/etcd:${after.etcd}-0`,
    ...['kube-apiserver', 'kube-controller-manager', 'kube-proxy', 'kube-scheduler'].map(
      (component) => `registry.k8s.io/${component}:v${after.kubernetes}`,
    ),
  ]);
  expect(await on(lab, 'worker1', 'runc', '--version')).toContain(`runc version ${after.runc}`);
});

test('flannel leads from node to node in VXLAN, with room for its headers', async () => {
  const mtuOf = (device: string): Promise<string> => on(lab, 'cp1', 'cat', `/sys/class/net/${device}/mtu`);
  expect(await Promise.all(['flannel.1', 'cni0'].map(mtuOf))).toEqual(['1450', '1450']);
  expect(await on(lab, 'worker1', 'ip', '-details', 'link', 'show', 'flannel.1')).toContain('vxlan id 1');
});
