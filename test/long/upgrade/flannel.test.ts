import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { down, labArtifacts, type Lab } from '../../../lab/index.ts';
import { labReleases } from '../../../lab/kubernetes/releases.ts';
import { kubectl } from '../../support/hosts/kubernetes.ts';
import { definitionOf, must, on, raiseLab, until } from '../../support/hosts/lab.ts';
import { definitionWith } from '../../support/definitions/releases.ts';
import { changes, planned, project, type Project } from '../../support/project.ts';
import { there } from '../../support/there.ts';

const name = 'flannel-upgrade';
const folder = '/home/ops/artifacts-of-the-next';
const before = there(labReleases.at(-2));
const after = there(labReleases.at(-1));
let lab: Lab;
let here: Project;

// The release of flannel before comes with the minor before: an upgrade leads to a cluster that has the images of both.
beforeAll(async () => {
  lab = await raiseLab(name, {
    kubernetes: true,
    kubernetesVersion: before.kubernetes,
    controlPlanes: 1,
    workers: 1,
  });
  here = await project(withFlannel(definitionOf(lab)));
  await here.done('render');
  await here.done('apply', '--yes', '--json');
  const built = must(await labArtifacts(() => undefined));
  await here.define(withFlannel(definitionWith(lab, built, folder)));
  await here.done('render');
  await here.done('artifacts', 'push', '--from', built.folder);
  await here.done('apply', '--yes', '--json');
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

const withFlannel = (text: string): string =>
  text.replace('plugin: static-routes', `plugin: { flannel: { version: ${before.flannel} } }`);

const inPod = (pod: string, ...words: readonly string[]): Promise<string> =>
  kubectl(lab, 'cp1', 'exec', pod, '--', '/bin/busybox', ...words);

test('flannel is brought to another release on every node by the plan, while a pod asks one on another node', async () => {
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

test('flannel is brought to another backend and another size of packets, on every node, by the plan', async () => {
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
