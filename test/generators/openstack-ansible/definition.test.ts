import { describe, expect, test } from 'vitest';
import { definition, osaOf, said } from './support.ts';

test('a definition that takes everything from the files of the deploy host is without a fault', () => {
  expect(said(definition())).toEqual([]);
  const { controlPlane, layout, versions } = osaOf();
  expect(controlPlane.hosts.map(({ name, address }) => `${name} ${address}`)).toEqual([
    'infra1 172.29.236.11',
    'infra2 172.29.236.12',
    'infra3 172.29.236.13',
  ]);
  expect({ layout, driver: versions.driver }).toEqual({ layout: 'ops', driver: 'v0.24.2' });
});

const pods = '  podSubnet: 172.29.200.0/22\n';
const release = 'release: "2025.2"';

describe('one fault, with its line and what would be right', () => {
  test.each<[title: string, changes: Readonly<Record<string, string>>, words: readonly string[]]>([
    ['an unknown release', { [release]: 'release: master' }, ['6: `release` cannot be "master"']],
    [
      'a number as a release',
      { [release]: 'release: 2025.2' },
      ['6: `release` is a string that looks like a number', '"2025.2", in quotes'],
    ],
    [
      'an unknown kind',
      { OpenStackAnsibleMagnum: 'OpenStackAnsibleMagnun' },
      ['2: `kind` cannot be', 'OpenStackAnsibleMagnum'],
    ],
    [
      'another kind',
      { OpenStackAnsibleMagnum: 'Swarm' },
      ['2: `kind` cannot be "Swarm"', 'Cluster or OpenStackAnsibleMagnum or Fleet'],
    ],
    ['an unknown key', { 'podSubnet:': 'podSubnets:' }, ['9: unknown key "podSubnets"', 'podSubnet']],
    [
      'two hosts',
      { [pods]: '  hosts: [{ name: a, address: 172.29.236.21 }, { name: b, address: 172.29.236.22 }]\n' },
      ['9: 2 members of etcd', 'one host, or three'],
    ],
    [
      'a host twice',
      {
        [pods]: `  hosts: [${['a', 'a', 'c'].map((name, at) => `{ name: ${name}, address: 172.29.236.2${at} }`).join(', ')}]\n`,
      },
      ['9: a stands at two hosts'],
    ],
    [
      'a name that is too long',
      { [pods]: `  hosts: [{ name: ${'h'.repeat(39)}, address: 172.29.236.21 }]\n` },
      ['9: ', 'has 39 characters', 'at most 38'],
    ],
    [
      'another address than OpenStack-Ansible knows',
      { [pods]: '  hosts: [{ name: infra1, address: 172.29.236.99 }]\n' },
      ['9: infra1 has the address 172.29.236.11', '172.29.236.11'],
    ],
    [
      'the address of another host',
      { [pods]: '  hosts: [{ name: new1, address: 172.29.236.12 }]\n' },
      ['9: 172.29.236.12 is that of infra2'],
    ],
    [
      'pods in the network of containers',
      { '172.29.200.0/22': '172.29.232.0/21' },
      ['9: the pods of the control plane (172.29.232.0/21) overlap the network management', 'podSubnet:'],
    ],
    [
      'pods where workload clusters have theirs',
      { '172.29.200.0/22': '10.100.4.0/22' },
      ['overlap what workload clusters use', '10.100.0.0/16'],
    ],
    [
      'a version of Kubernetes without its last number',
      { [pods]: `${pods}versions: { kubernetes: "1.31" }\n` },
      ['10: "1.31" is not an exact version', '1.28.13'],
    ],
    [
      'a version that the collection does not have',
      { [pods]: `${pods}versions: { clusterApi: 1.9.6 }\n` },
      ['10: the pinned collection has no 1.9.6', '1.8.4'],
    ],
    [
      'a driver that wants Rust',
      { [pods]: `${pods}versions: { driver: v0.25.0 }\n` },
      ['10: v0.25.0 cannot be built there', 'Rust', 'v0.24.2'],
    ],
    [
      'a proxy where OVN has no metadata agent',
      { [pods]: `${pods}proxy: { hosts: network_hosts }\n` },
      ['10: with OVN', 'compute_hosts'],
    ],
    [
      'a certificate file that `tls` decides',
      { [pods]: `${pods}magnum: { configuration: { drivers: { openstack_ca_file: /x } } }\n` },
      ['drivers.openstack_ca_file follows from `tls`'],
    ],
    [
      'a secret',
      { [pods]: `${pods}magnum: { configuration: { trust: { trustee_domain_admin_password: x } } }\n` },
      ['is a secret'],
    ],
    [
      'our own haproxy keys',
      { [pods]: `${pods}  haproxyService: { haproxy_port: 1 }\n` },
      ['10: haproxy_port is ours'],
    ],
    [
      'an unknown haproxy key',
      { [pods]: `${pods}  haproxyService: { haproxy_timeout_servr: 1m }\n` },
      ['reads no haproxy_timeout_servr', 'haproxy_timeout_server'],
    ],
    [
      'backups that the release has not',
      { [pods]: `${pods}  backups: enabled\n` },
      ['10: the playbooks of this release know no backups'],
    ],
    [
      'hooks where they are not needed',
      { [release]: 'release: "2026.1"\n  hooks: enabled' },
      ['7: from release 2026.1 on'],
    ],
    [
      'a name that HAProxy cannot listen on',
      { [release]: `${release}\n  internalAddress: api.example.org` },
      ['the name api.example.org', 'internalBindAddress'],
    ],
    [
      'a deploy host that nobody logs in to',
      {
        'ansibleServer: local':
          'ansibleServer: local\ndeployHost: { name: d, address: 192.0.2.9, ssh: { hostKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMWF5R/rGki6T+Vb4BMpf3PZzZ3P+ldk4MJKR8K07W36 } }',
      },
      ['5: no user is given who logs in to the deploy host'],
    ],
  ])('%s', (_title, changes, words) => {
    const found = said(definition(changes)).filter((each) => !each.startsWith('warning'));
    expect(found, found.join('\n')).toHaveLength(1);
    for (const word of words) expect(found[0]).toContain(word);
  });
});
