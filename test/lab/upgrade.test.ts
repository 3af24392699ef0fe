import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { down, labArtifacts, type Lab } from '../../lab/index.ts';
import { labReleases, labVersion } from '../../lab/kubernetes/releases.ts';
import { kubectl, readiness } from '../support/hosts/kubernetes.ts';
import { definitionOf, must, on, raiseLab, until } from '../support/hosts/lab.ts';
import { changes, planned, project, type Project } from '../support/project.ts';
import { definitionWith } from '../support/definitions/releases.ts';
import { there } from '../support/there.ts';

const name = 'upgrade';
const folder = '/home/ops/artifacts-of-the-next';
const before = there(labReleases.at(-2));
const after = there(labReleases.at(-1));
let lab: Lab;
let here: Project;

// From the minor before to the newest one; every step from the oldest on, with clients that write: test/long/upgrade/upgrade.test.ts.
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

describe('flannel', () => {
  const mtuOf = (host: string, device: string): Promise<string> =>
    on(lab, host, 'cat', `/sys/class/net/${device}/mtu`);

  const inPod = (pod: string, ...words: readonly string[]): Promise<string> =>
    kubectl(lab, 'cp1', 'exec', pod, '--', '/bin/busybox', ...words);

  test('leads from node to node in VXLAN, with room for its headers', async () => {
    const [device, bridge] = await Promise.all(['flannel.1', 'cni0'].map((name) => mtuOf('cp1', name)));
    expect([device, bridge]).toEqual(['1450', '1450']);
    expect(await on(lab, 'worker1', 'ip', '-details', 'link', 'show', 'flannel.1')).toContain('vxlan id 1');
  });

  test('is brought to another release on every node by the plan, while a pod asks one on another node', async () => {
    for (const node of ['cp1', 'worker1']) await startPod(node);
    const far = await kubectl(lab, 'cp1', 'get', 'pod', 'on-cp1', '-o', 'jsonpath={.status.podIP}');
    const ping = `/bin/busybox ping -i 0.2 ${far} > /pings 2>&1 < /dev/null & echo $! > /pinging`;
    await kubectl(lab, 'cp1', 'exec', 'on-worker1', '--', '/bin/sh', '-c', ping);
    await redefine((text) => text.replace(`version: ${before.flannel} }`, `version: ${after.flannel} }`));
    expect(await planned(here)).toEqual(['network', 'verify']);
    await here.done('apply', '--yes', '--json');
    await inPod('on-worker1', 'sh', '-c', '/bin/busybox kill -INT $(/bin/busybox cat /pinging)');
    await until('the count is there', async () =>
      (await inPod('on-worker1', 'cat', '/pings')).includes('received'),
    );
    const [, sent, received] =
      /(\d+) packets transmitted, (\d+) packets received/.exec(await inPod('on-worker1', 'cat', '/pings')) ??
      [];
    expect(Number(sent)).toBeGreaterThan(50);
    // The last one may have been on its way.
    expect(Number(sent) - Number(received)).toBeLessThanOrEqual(1);
    const images = await kubectl(
      lab,
      'cp1',
      ...['get', 'pods', '--namespace=kube-flannel', '-o', 'jsonpath={.items[*].spec.containers[*].image}'],
    );
    const image = `ghcr.io/flannel-io/flannel:v${after.flannel}`;
    expect(images).toBe(`${image} ${image}`);
    expect(changes(await here.done('run', 'network', '--json'))).toEqual({});
  });

  test('is brought to another backend and another size of packets, on every node, by the plan', async () => {
    await redefine((text) =>
      text
        .replace(`version: ${after.flannel} }`, `version: ${after.flannel}, backend: host-gw }`)
        .replace(/^( *)plugin: \{ flannel/m, '$1mtu: 1400\n$&'),
    );
    expect(await planned(here)).toEqual(['network', 'verify']);
    await here.done('apply', '--yes', '--json');
    const routes = await on(lab, 'worker1', 'ip', 'route', 'show');
    expect(routes).toMatch(/^10\.244\.\d+\.0\/24 via \S+ dev eth0/m);
    await kubectl(lab, 'cp1', ...['run', 'late', '--image=docker.io/lab/echo:1', '--restart=Never']);
    await kubectl(lab, 'cp1', 'wait', '--for=condition=Ready', 'pod/late', '--timeout=120s');
    expect(await inPod('late', 'cat', '/sys/class/net/eth0/mtu')).toBe('1400');
    expect(changes(await here.done('run', 'network', '--json'))).toEqual({});
  });

  async function startPod(node: string): Promise<void> {
    const spec = { apiVersion: 'v1', spec: { nodeName: node } };
    await kubectl(
      lab,
      'cp1',
      ...['run', `on-${node}`, '--image=docker.io/lab/echo:1', '--restart=Never'],
      `--overrides=${JSON.stringify(spec)}`,
    );
    await kubectl(lab, 'cp1', 'wait', '--for=condition=Ready', `pod/on-${node}`, '--timeout=120s');
  }

  async function redefine(change: (text: string) => string): Promise<void> {
    await here.define(change(await readFile(join(here.folder, 'cluster.yml'), 'utf8')));
    await here.done('render');
  }
});
