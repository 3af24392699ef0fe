import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../generators/cluster.ts';
import { definitionDigest } from '../../generators/definition-digest.ts';
import { priorityOf } from '../../generators/definition/derived.ts';
import { parseAddress } from '../../generators/definition/networks.ts';
import { changed, loaded, sound } from './definition/support.ts';

const clusterOf = (text: string): Cluster => loaded(text).cluster;
const example = (name: string): Cluster =>
  clusterOf(readFileSync(join(import.meta.dirname, '../../examples', `${name}.yml`), 'utf8'));

describe('what is not written', () => {
  test('is filled, so that a cluster has no gaps', () => {
    const holes = (value: unknown): boolean =>
      value === undefined ||
      (typeof value === 'object' && value !== null && Object.values(value).some(holes));
    expect(holes(clusterOf(sound))).toBe(false);
    expect(clusterOf(sound)).toMatchObject({
      review: 'optional',
      ansibleServer: {
        kind: 'ssh',
        host: '198.51.100.5',
        port: 0,
        user: 'ansible',
        auth: { kind: 'default' },
        hostKey: '',
        proxyJump: '',
        directory: '~/playsmith',
      },
      kubernetes: { installer: 'none', version: '' },
      network: { nodeSubnets: ['192.0.2.0/24'], apiServerPort: 6443 },
      proxy: { http: '', https: '', noProxy: [] },
      secrets: [],
    });
  });

  test('of the load balancer too', () => {
    const { endpoint } = clusterOf(sound);
    expect(endpoint).toMatchObject({ placement: 'stacked', address: '192.0.2.80', prefix: 24, family: 4 });
    expect(endpoint.haproxy).toEqual({
      healthCheck: 'https',
      balance: 'all-active',
      check: { intervalMilliseconds: 1000, fall: 2, rise: 2 },
      servers: [
        { name: 'master01', address: '192.0.2.11', backup: false },
        { name: 'master02', address: '192.0.2.12', backup: false },
        { name: 'master03', address: '192.0.2.13', backup: false },
      ],
      stats: { port: 0, user: '', passwordVariable: '' },
    });
    expect(endpoint.keepalived).toEqual({
      interface: '',
      virtualRouterId: 34,
      version: 2,
      transport: 'unicast',
      election: 'nopreempt',
      advertisementInterval: 1,
      check: { intervalSeconds: 1, fall: 2, rise: 2 },
      passwordVariable: '',
    });
  });

  test.each([
    [changed(['  port: 8443\n', '']), 8443],
    [changed(['  port: 8443\n', ''], ['placement: stacked', 'placement: external']), 6443],
  ])('a port where the placement leaves one free', (text, port) => {
    expect(clusterOf(text).endpoint.port).toBe(port);
  });

  test('one control plane is its own endpoint', () => {
    expect(example('single').endpoint).toMatchObject({
      address: '192.0.2.11',
      prefix: 24,
      port: 6443,
      placement: 'none',
      balancers: [],
    });
  });

  test('fast failover in one word', () => {
    expect(clusterOf(changed(['election: nopreempt', 'failover: fast'])).endpoint.keepalived).toMatchObject({
      version: 3,
      advertisementInterval: 0.2,
      check: { intervalSeconds: 1, fall: 1, rise: 2 },
    });
  });
});

describe('machines', () => {
  test('are the nodes, then the hosts, in the order of the definition', () => {
    expect(example('ha-dedicated-lb').machines.map(({ name, roles }) => [name, roles.join()])).toEqual([
      ['master01', 'control-plane,etcd'],
      ['master02', 'control-plane,etcd'],
      ['master03', 'control-plane,etcd'],
      ['worker01', 'worker'],
      ['lb01', 'load-balancer'],
      ['lb02', 'load-balancer'],
    ]);
  });

  test('have etcd where it is written, once it is written somewhere', () => {
    const text = changed(['address: 192.0.2.21', 'roles: [etcd]\n    address: 192.0.2.21']);
    expect(clusterOf(text).machines.map(({ roles }) => roles.join())).toEqual([
      'control-plane',
      'control-plane',
      'control-plane',
      'etcd',
    ]);
  });

  test('are reached as they say, else as all are, else at their address', () => {
    const text = changed(
      ['ssh: { user: ubuntu }', 'ssh: { user: ubuntu, port: 2222, privateKey: ~/k, proxyJump: jump }'],
      ['ssh: { hostKey', 'ssh: { host: node.example.org, user: root, port: 22, proxyJump: none, hostKey'],
    );
    const [first, second] = clusterOf(text).machines;
    expect(first?.ssh).toMatchObject({
      host: 'node.example.org',
      user: 'root',
      port: 22,
      privateKey: '~/k',
      proxyJump: '',
    });
    expect(second?.ssh).toMatchObject({ host: '192.0.2.12', user: 'ubuntu', port: 2222, proxyJump: 'jump' });
  });

  test('have addresses in one spelling', () => {
    const text = sound
      .replaceAll(/192\.0\.2\.(\d+)(\/24)?/g, (_, last: string, prefix?: string) =>
        prefix ? `"2001:DB8::0:${last}/64"` : `"2001:DB8:0::${last}"`,
      )
      .replace('10.244.0.0/16', '"FD00:10:244::/56"')
      .replace('10.96.0.0/16', '"fd00:0010:96::/112"');
    const { machines, endpoint, network } = clusterOf(text);
    expect(machines[0]).toMatchObject({ address: '2001:db8::11', family: 6, ssh: { host: '2001:db8::11' } });
    expect(endpoint).toMatchObject({ address: '2001:db8::80', prefix: 64, family: 6 });
    expect(endpoint.keepalived.version).toBe(3);
    expect(network).toMatchObject({
      nodeSubnets: ['2001:db8::/64'],
      podSubnets: ['fd00:10:244::/56'],
      serviceSubnets: ['fd00:10:96::/112'],
    });
  });
});

describe('priorities', () => {
  test.each([
    ['192.0.2.0', 254],
    ['192.0.2.1', 253],
    ['192.0.2.11', 243],
    ['192.0.2.253', 1],
    ['192.0.2.254', 254],
    ['2001:db8::b', 243],
  ])('%s has %i', (address, priority) => {
    const parsed = parseAddress(address);
    expect(parsed && priorityOf(parsed)).toBe(priority);
  });

  test('are what the definition says, most preferred first', () => {
    expect(example('tacker-ha').endpoint.balancers).toEqual([
      { name: 'master01', address: '192.168.128.11', priority: 103 },
      { name: 'master02', address: '192.168.128.12', priority: 102 },
      { name: 'master03', address: '192.168.128.13', priority: 101 },
    ]);
  });
});

test('the configuration of the Tacker specification can be said', () => {
  const { endpoint } = example('tacker-ha');
  expect(endpoint).toMatchObject({ address: '192.168.128.80', prefix: 24, port: 6440, placement: 'stacked' });
  expect(endpoint.keepalived).toEqual({
    interface: 'enp0s3',
    virtualRouterId: 123,
    version: 2,
    transport: 'multicast',
    election: 'preempt',
    advertisementInterval: 1,
    check: { intervalSeconds: 3, fall: 3, rise: 1 },
    passwordVariable: '',
  });
  expect(endpoint.haproxy).toMatchObject({
    healthCheck: 'tcp',
    balance: 'first-active',
    servers: [{ backup: false }, { backup: true }, { backup: true }],
  });
});

describe('secrets', () => {
  test('are variables in the bundle and references beside it', () => {
    const { secrets, machines, endpoint } = example('full');
    expect(secrets).toEqual([
      {
        variable: 'vault_haproxy_stats_password',
        path: 'controlPlaneEndpoint.loadBalancer.haproxy.stats.password',
        reference: { kind: 'command', argv: ['pass', 'show', 'full/haproxy-stats'] },
      },
      {
        variable: 'vault_keepalived_password',
        path: 'controlPlaneEndpoint.loadBalancer.keepalived.password',
        reference: {
          kind: 'vault',
          path: 'secrets.vault.yml',
          key: 'keepalived_password',
          password: { kind: 'env', name: 'VAULT_PASSWORD' },
        },
      },
      {
        variable: 'vault_ssh_become_password',
        path: 'ssh.becomePassword',
        reference: { kind: 'file', path: 'secrets/sudo' },
      },
      {
        variable: 'vault_ssh_become_password_lb01',
        path: 'hosts.lb01.ssh.becomePassword',
        reference: { kind: 'file', path: 'secrets/lb01-sudo' },
      },
      {
        variable: 'vault_ssh_become_password_master01',
        path: 'nodes.master01.ssh.becomePassword',
        reference: { kind: 'env', name: 'MASTER01_SUDO' },
      },
      {
        variable: 'vault_ssh_password',
        path: 'ssh.password',
        reference: { kind: 'env', name: 'SSH_PASSWORD' },
      },
      {
        variable: 'vault_ssh_password_lb01',
        path: 'hosts.lb01.ssh.password',
        reference: { kind: 'file', path: 'secrets/lb01' },
      },
      {
        variable: 'vault_ssh_password_master01',
        path: 'nodes.master01.ssh.password',
        reference: { kind: 'env', name: 'MASTER01_PASSWORD' },
      },
    ]);
    const named = [
      ...machines.flatMap(({ ssh }) => [ssh.passwordVariable, ssh.becomePasswordVariable]),
      endpoint.haproxy.stats.passwordVariable,
      endpoint.keepalived.passwordVariable,
    ];
    expect([...new Set(named)].toSorted()).toEqual(secrets.map(({ variable }) => variable));
  });

  test('that nobody reads are not asked for', () => {
    const text = sound
      .replace('ssh: { user: ubuntu }', 'ssh: { user: ubuntu, password: { env: SHARED } }')
      .replaceAll('ssh: { hostKey', 'ssh: { password: { env: OWN }, hostKey');
    expect(clusterOf(text).secrets.map(({ variable }) => variable)).not.toContain('vault_ssh_password');
  });

  test('a hyphen in a name is an underscore in its variable', () => {
    const text = changed(
      ['name: worker01\n', 'name: worker-0-1\n'],
      ['ssh: { hostKey', 'ssh: { hostKey'],
    ).replace(/(worker-0-1\n.*\n.*ssh: \{)/, '$1 password: { env: A },');
    expect(clusterOf(text).secrets[0]?.variable).toBe('vault_ssh_password_worker_0_1');
  });
});

describe('the digest of a definition', () => {
  test('is the same for any spelling of the same', () => {
    const spelt = changed(
      ['metadata: { name: edge-a }', 'metadata:\n  name: "edge-a" # here'],
      ['port: 8443', 'port: 8443 '],
      ['    placement: stacked\n', ''],
    );
    expect(definitionDigest(clusterOf(spelt))).toBe(definitionDigest(clusterOf(sound)));
    expect(definitionDigest(clusterOf(sound))).toMatch(/^[0-9a-f]{64}$/);
  });

  test('is another for another meaning', () => {
    expect(definitionDigest(clusterOf(changed(['port: 8443', 'port: 8444'])))).not.toBe(
      definitionDigest(clusterOf(sound)),
    );
  });
});
