import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, expect, test } from 'vitest';
import { engine } from '../../../../generators/engine.ts';
import { network } from '../../../../generators/phases/network/network.ts';
import { cluster, kubeadm, machine, podNetwork } from '../../../support/definitions/clusters.ts';
import { templates } from '../../../support/definitions/templates.ts';

const machines = [machine('cp1', '10.0.0.11')];
const given = {
  ...cluster({ machines, ...kubeadm(machines, {}) }),
  podNetwork: podNetwork({ plugin: 'static-routes' }),
};
const program =
  network
    .render(given, engine(templates, given.name))
    .find(({ path }) => path === 'files/network/static-routes.py')?.text ?? '';

const node = (name: string, subnet: string, ...addresses: readonly string[]): object => ({
  name,
  addresses,
  subnets: [subnet],
});

let folder = '';
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** What the program on cp1 does where the kernel has these routes, and takes no gateway beyond 10.0.0.0/8. */
function routed(nodes: readonly object[], has: readonly object[] = []) {
  folder = mkdtempSync(join(tmpdir(), 'playsmith-routes-'));
  for (const each of ['bin', 'net.d']) mkdirSync(join(folder, each));
  const log = `echo "$(basename "$0") $*" >> '${folder}/log'`;
  const kernel = `case "$*" in
  *'address show'*) echo '[]' ;;
  *'route show'*) echo '${JSON.stringify(has)}' ;;
  *'via 10.'*) ${log} ;;
  *' via '*) echo 'Error: inet address is expected' >&2; exit 1 ;;
  *) ${log} ;;
esac`;
  for (const [name, text] of Object.entries({ ip: kernel, iptables: log, systemctl: 'exit 0' }))
    writeFileSync(join(folder, 'bin', name), `#!/bin/bash\n${text}\n`, { mode: 0o755 });
  writeFileSync(join(folder, 'table.json'), JSON.stringify({ name: 'cp1', nodes }));
  writeFileSync(join(folder, 'log'), '');
  const own = program
    .replace('/var/lib/playsmith/network.json', join(folder, 'table.json'))
    .replace('/etc/cni/net.d', join(folder, 'net.d'));
  const { status, stderr } = spawnSync('/usr/bin/python3', ['-'], {
    input: own,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` },
  });
  return { status, stderr: stderr.trim(), log: readFileSync(join(folder, 'log'), 'utf8') };
}

const cp1 = node('cp1', '10.244.0.0/24', '10.0.0.11');
const worker2 = node('worker2', '10.244.2.0/24', '10.0.0.22');

test('pods of others are reached through their hosts', () => {
  const { status, stderr, log } = routed([cp1, node('worker1', '10.244.1.0/24', '10.0.0.21'), worker2]);
  expect([status, stderr]).toEqual([0, '']);
  expect(log).toContain('ip -4 route replace 10.244.1.0/24 via 10.0.0.21 proto 186');
  expect(log).toContain('ip -4 route replace 10.244.2.0/24 via 10.0.0.22 proto 186');
});

test.each([
  ['everything', '0.0.0.0/0'],
  ['half of all addresses', '0.0.0.0/1'],
  ['the nodes', '10.0.0.0/24'],
  ['the whole pod network', '10.244.0.0/16'],
  ["another node's part", '10.244.2.0/24'],
  ["some of another node's part", '10.244.2.128/25'],
  ["another node's part and more", '10.244.2.0/23'],
  ["ours, and what is another's as well", '10.244.0.0/22'],
  ['no network', '10.244.1.5/24'],
  ['another family', 'fd00::/64'],
])('a node that claims %s gets no route, and closes the way to no other one', (_, subnet) => {
  const worker3 = node('worker3', '10.244.4.0/24', '10.0.0.23');
  const has = [{ dst: '10.244.2.0/24', gateway: '10.0.0.22' }];
  const odd = node('worker1', subnet, '10.0.0.21', 'fd00::21');
  const { status, stderr, log } = routed([cp1, odd, worker2, worker3], has);
  expect(status).toBe(1);
  expect(stderr).toContain(
    `worker1 claims the pods in ${subnet}, which is no part of the pod network that it has alone`,
  );
  expect(log).not.toContain('10.0.0.21');
  // What was there before somebody else claimed it stays.
  expect(log).not.toContain('10.244.2.0/24');
  expect(log).toContain('ip -4 route replace 10.244.4.0/24 via 10.0.0.23 proto 186');
  expect(log).toContain('iptables');
});

test("parts that have a border in common are nobody else's", () => {
  const parts = ['10.244.1.0/24', '10.244.2.0/23', '10.244.4.0/25', '10.244.4.128/25'];
  const nodes = parts.map((part, index) => node(`worker${index}`, part, `10.0.0.2${index}`));
  expect(routed([cp1, ...nodes])).toMatchObject({ status: 0, stderr: '' });
});

test.each([
  [
    'is none',
    'no address',
    'ip -4 route replace 10.244.1.0/24 via no address proto 186: Error: inet address',
  ],
  [
    'is of another family',
    'fd00::21',
    'worker1 has no address of the same family as its pods in 10.244.1.0/24',
  ],
])('a node whose address %s is told, and closes the way to no other one', (_, address, says) => {
  const has = [{ dst: '10.244.9.0/24', gateway: '10.0.0.29' }];
  const { status, stderr, log } = routed([cp1, node('worker1', '10.244.1.0/24', address), worker2], has);
  expect(status).toBe(1);
  expect(stderr).toContain(says);
  expect(log).toContain('ip -4 route replace 10.244.2.0/24 via 10.0.0.22 proto 186');
  expect(log).toContain('iptables');
});
