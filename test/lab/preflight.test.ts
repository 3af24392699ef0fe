import { afterAll, beforeAll, expect, test } from 'vitest';
import { describe as describeLab, down, type Lab } from '../../lab/index.ts';
import { definitionOf, must, on, raiseLab } from '../support/hosts/lab.ts';
import { project, recapOf, type Ended, type Project } from '../support/project.ts';

const name = 'preflight';
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

test('everything that speaks against the hosts is found by preflight, at once', async () => {
  const pretend = [
    ['cp1', 'ip route add 10.244.7.0/24 dev eth0'],
    ['cp2', 'systemd-run --unit=stranger python3 -m http.server 6443'],
    ['cp3', 'mkdir -p /etc/kubernetes/manifests; touch /etc/kubernetes/manifests/kube-apiserver.yaml'],
    ['worker1', kubeletOf('https://203.0.113.9:6443')],
    [
      'worker2',
      'sed "s/MemTotal: .*/MemTotal: 204800 kB/" /proc/meminfo > /run/meminfo; mount --bind /run/meminfo /proc/meminfo',
    ],
  ] as const;
  for (const [host, command] of pretend) await on(lab, host, 'sh', '-c', command);
  const refused = await here.task('run', '--json');
  expect(refused.status, refused.said).toBe(20);
  for (const problem of [
    'the network 10.244.0.0/16 of the cluster overlaps 10.244.7.0/24',
    'port 6443 is taken by python3',
    'another cluster has left /etc/kubernetes/manifests/kube-apiserver.yaml',
    'it belongs to the cluster at https://203.0.113.9:6443',
    'the memory is 200 MB',
  ])
    expect(refused.stdout).toContain(problem);
  expect(changed(refused)).toBe(0);
  await on(lab, 'cp1', 'ip', 'route', 'delete', '10.244.7.0/24');
  await on(lab, 'cp2', 'systemctl', 'stop', 'stranger');
  await on(lab, 'worker2', 'umount', '/proc/meminfo');
  await forget('cp3', 'worker1');
});

test('a node of another version is told to be upgraded, whatever it is', async () => {
  const server = `https://${describeLab(lab).vip}:6440`;
  for (const host of ['cp2', 'worker2'])
    await on(
      lab,
      host,
      ...['sh', '-c'],
      `${kubeletOf(server)}; printf '#!/bin/sh\\necho Kubernetes v1.19.8\\n' > /usr/bin/kubelet; chmod 755 /usr/bin/kubelet`,
    );
  const refused = await here.task('run', '--json');
  expect(refused.status, refused.said).toBe(20);
  for (const host of ['cp2', 'worker2'])
    expect(refused.stdout).toContain(`${host}: it runs version 1.19.8 of Kubernetes, the definition says`);
  expect(changed(refused)).toBe(0);
  for (const host of ['cp2', 'worker2']) await on(lab, host, 'rm', '/usr/bin/kubelet');
  await forget('cp2', 'worker2');
});

const changed = (ended: Ended): number =>
  Object.values(recapOf(ended).recap).reduce((sum, host) => sum + host.changed, 0);

/** What makes a host look as if it were a node of the cluster at `server`. */
const kubeletOf = (server: string): string =>
  `mkdir -p /etc/kubernetes; echo 'clusters: [{ cluster: { server: ${server} } }]' > /etc/kubernetes/kubelet.conf`;

const forget = async (...hosts: readonly string[]): Promise<void> => {
  for (const host of hosts) await on(lab, host, 'rm', '--recursive', '/etc/kubernetes');
};
