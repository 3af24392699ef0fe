import { describe, expect, test } from 'vitest';
import { profile } from '../../../../generators/definition/profiles/profiles.ts';
import { loaded, said } from '../support.ts';

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAID7NZafZXMzUsM52ZNlgMbR+9K21orbR7bTY1NH/o87u';

describe.each(['lab', 'ha-stacked', 'ha-dedicated-lb', 'single'] as const)('the profile %s', (name) => {
  test('works, and lacks nothing but host keys', () => {
    expect(said(profile(name)).filter((line) => !line.includes('no host key is pinned'))).toEqual([]);
    expect(loaded(profile(name)).cluster.name).toBe(name);
  });

  test('begins with the line that editors look for', () => {
    expect(profile(name, { schema: 'schema.json' }).split('\n')[0]).toBe(
      '# yaml-language-server: $schema=schema.json',
    );
  });
});

test.each(['10.9.8.7/24', '10.9.8.12/24', '172.20.1.2/16', '192.0.2.250/28', '2001:db8:1::80/64'])(
  'with the virtual address %s alone, the machines stand in its network',
  (address) => {
    for (const name of ['ha-stacked', 'ha-dedicated-lb'] as const) {
      const text = profile(name, { endpoint: { address } });
      expect(said(text).filter((line) => !line.includes('no host key is pinned'))).toEqual([]);
      expect(loaded(text).cluster.endpoint.port).toBe(name === 'ha-stacked' ? 8443 : 6443);
    }
  },
);

test('the lab writes what it has made', () => {
  const text = profile('lab', {
    ansibleServer: {
      host: '10.80.0.2',
      port: 22,
      user: 'ansible',
      auth: { privateKey: '/var/lib/lab/keys with spaces/id' },
      hostKey: key,
    },
    network: { nodeSubnet: '10.80.0.0/24', podSubnet: '10.81.0.0/16' },
    ssh: { user: 'root', privateKey: '~/.ssh/id_ed25519', becomePassword: { file: '/var/lib/lab/sudo' } },
    endpoint: { address: '10.80.0.100/24', port: 6440, keepalived: { failover: 'fast' } },
    machines: [
      {
        name: 'cp1',
        address: '10.80.0.11',
        roles: ['control-plane', 'worker'],
        ssh: { hostKey: key, host: '127.0.0.1', port: 2201 },
      },
      {
        name: 'lb1',
        address: '10.80.0.21',
        roles: ['load-balancer'],
        vrrpPriority: 9,
        ssh: { hostKey: [key] },
      },
      { name: 'lb2', address: '10.80.0.22', roles: ['load-balancer'], ssh: { hostKey: [key] } },
    ],
  });
  expect(said(text)).toEqual([]);
  const { cluster } = loaded(text);
  expect(cluster.endpoint).toMatchObject({ address: '10.80.0.100', port: 6440, placement: 'dedicated' });
  expect(cluster.endpoint.keepalived.advertisementInterval).toBe(0.2);
  expect(cluster.endpoint.balancers.map(({ name }) => name)).toEqual(['lb2', 'lb1']);
  expect(cluster.machines[0]?.ssh).toMatchObject({ host: '127.0.0.1', port: 2201, hostKeys: [key] });
  expect(cluster.ansibleServer).toMatchObject({ auth: { path: '/var/lib/lab/keys with spaces/id' } });
});

test('what is given is quoted where YAML needs it', () => {
  const text = profile('single', {
    network: { nodeSubnet: '2001:db8::/64' },
    machines: [{ name: 'n', address: '2001:db8:0:0:1:2:3:4', roles: ['control-plane', 'worker'] }],
    ssh: { user: 'on' },
  });
  expect(loaded(text).cluster.machines[0]).toMatchObject({
    address: '2001:db8::1:2:3:4',
    ssh: { user: 'on' },
  });
});
