import { describe, expect, test } from 'vitest';
import { changed, said, sound } from '../support.ts';

type Rows = readonly (readonly [title: string, text: string, expected: readonly string[]])[];

const node = (name: string, address: string, roles = 'worker'): string =>
  `  - { name: ${name}, roles: [${roles}], address: "${address}", ssh: { hostKey: ${key} } }\n`;
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA1lU2tqe9yO6DZSsd961mfdhmDXmWHmcsmvyKKlRBa5';
const master03 = / {2}- name: master03\n(?: {4}.*\n)*/;
const without03 = sound.replace(master03, '');

const dedicated = `${changed(['placement: stacked', 'placement: { hosts: [lb01, lb02] }'])}hosts:
${node('lb01', '192.0.2.31').replace(' roles: [worker],', '')}${node('lb02', '192.0.2.32').replace(' roles: [worker],', '')}`;

const single = `apiVersion: playsmith/v1
kind: Cluster
metadata: { name: one }
ansibleServer: local
network: { nodeSubnet: 192.0.2.0/24 }
ssh: { user: root }
nodes:
${node('node01', '192.0.2.11', 'control-plane, worker')}`;

const rows = (table: Rows): void => {
  test.each(table)('%s', (_title, text, expected) => {
    expect(said(text)).toEqual(expected);
  });
};

describe('names and places', () => {
  rows([
    [
      'two machines of one name',
      sound + node('worker01', '192.0.2.22'),
      ['32:13 worker01 is already the name of nodes[3] → a name that no other machine has'],
    ],
    [
      'two names that are one in a variable',
      sound + node('w--1', '192.0.2.22') + node('w.1a', '192.0.2.23') + node('w--1a', '192.0.2.24'),
      [
        '34:13 w--1a differs from w.1a in hyphens and dots alone, which variables cannot tell apart → a name that differs in more',
      ],
    ],
    [
      'worker1 and worker10 are two names',
      sound + node('worker1', '192.0.2.22') + node('worker10', '192.0.2.23'),
      [],
    ],
    [
      'a node and a host of one address, however it is written',
      dedicated.replace('192.0.2.32', '192.0.2.21'),
      ['34:28 192.0.2.21 is already the address of worker01 → an address that no other machine has'],
    ],
    [
      'two machines that are reached at one place',
      sound
        .replace('ssh: { hostKey', 'ssh: { host: 203.0.113.9, hostKey')
        .replace(/(worker01\n.*\n.*ssh: \{) /, '$1 host: 203.0.113.9, '),
      [
        '31:18 worker01 and master01 are reached at the same place, so they would be one machine → its own host or port',
      ],
    ],
    [
      'a machine that is reached at the address of another one',
      sound.replace(/(worker01\n.*\n.*ssh: \{) /, '$1 host: 192.0.2.12, '),
      [
        '31:18 worker01 and master02 are reached at the same place, so they would be one machine → its own host or port',
      ],
    ],
    [
      'one place in two spellings',
      sound
        .replace('ssh: { hostKey', 'ssh: { host: "2001:db8::9", hostKey')
        .replace(/(worker01\n.*\n.*ssh: \{) /, '$1 host: "2001:DB8:0:0::9", '),
      [
        '31:18 worker01 and master01 are reached at the same place, so they would be one machine → its own host or port',
      ],
    ],
    [
      'one name in two spellings',
      sound
        .replace('ssh: { hostKey', 'ssh: { host: m.example.org, hostKey')
        .replace(/(worker01\n.*\n.*ssh: \{) /, '$1 host: M.Example.org, '),
      [
        '31:18 worker01 and master01 are reached at the same place, so they would be one machine → its own host or port',
      ],
    ],
    [
      'one place but different ports',
      sound
        .replace('ssh: { hostKey', 'ssh: { host: 203.0.113.9, hostKey')
        .replace(/(worker01\n.*\n.*ssh: \{) /, '$1 host: 203.0.113.9, port: 2222, '),
      [],
    ],
    [
      'a name that is a group of Ansible',
      changed(['name: worker01', 'name: etcd']),
      ['29:11 "etcd" means something else to Ansible → a name other than etcd'],
    ],
  ]);

  test.each([
    'Worker',
    'worker_1',
    '1worker',
    'worker-',
    'wörker',
    'a b',
    'a..b',
    'a'.repeat(64),
    'a;b',
    '-a',
    'a/b',
  ])('a machine cannot be named %s', (name) => {
    expect(said(changed(['name: worker01', `name: "${name}"`]))[0]).toMatch(
      /^29:11 .* is not a name that is safe/,
    );
  });
});

describe('addresses and networks', () => {
  rows([
    [
      'host bits',
      changed(['10.244.0.0/16', '192.168.3.0/16']),
      ['6:14 "192.168.3.0/16" has host bits set: it is an address inside 192.168.0.0/16 → 192.168.0.0/16'],
    ],
    [
      'a virtual address without a prefix',
      changed(['192.0.2.80/24', '192.0.2.80']),
      [
        '10:12 "192.0.2.80" has no prefix, so nobody knows its network → 192.0.2.80/24, if that is the network\'s prefix',
      ],
    ],
    [
      'an address with a prefix',
      changed(['192.0.2.21', '192.0.2.21/24']),
      ['30:14 "192.0.2.21/24" has a prefix, where an address alone belongs → 192.0.2.21'],
    ],
    [
      'an octet with a zero before it',
      changed(['192.0.2.21', '192.0.2.021']),
      ['30:14 "192.0.2.021" is not an IP address → 192.0.2.11 or 2001:db8::11'],
    ],
    [
      'a loopback address',
      changed(['192.0.2.21', '127.0.0.1']),
      ['30:14 "127.0.0.1" is a loopback address, which no machine can have on a network → 192.0.2.11'],
    ],
    [
      'pods where services are',
      changed(['10.244.0.0/16', '10.96.128.0/17']),
      [
        '7:18 the service network 10.96.0.0/16 overlaps the pod network 10.96.128.0/17 → networks that have no address in common',
      ],
    ],
    [
      'nodes where pods are by default',
      single.replaceAll('192.0.2', '10.244.7'),
      [
        '5:24 the pod network 10.244.0.0/16 (the default) overlaps the node network 10.244.7.0/24 → another node network, or `network.podSubnet`',
      ],
    ],
    [
      'a service network that the API server refuses',
      changed(['10.96.0.0/16', '172.0.0.0/8']),
      ['7:18 172.0.0.0/8 is larger than the API server takes → a prefix of 12 or more'],
    ],
    [
      'a pod network without room for a node',
      changed(['10.244.0.0/16', '10.244.0.0/25']),
      ['6:14 10.244.0.0/25 cannot be shared out: each node gets a /24 of it → a prefix of 24 or less'],
    ],
    [
      'a pod network with room for fewer nodes than there are',
      changed(['10.244.0.0/16', '10.244.0.0/23']),
      [
        'warning 6:14 10.244.0.0/23 has a /24 for 2 nodes, and there are 4 → a larger network, unless your network plugin shares out smaller parts',
      ],
    ],
    [
      'two networks of one family',
      changed(['10.244.0.0/16', '[10.244.0.0/16, 10.245.0.0/16]']),
      ['6:14 these are neither one network nor one of each family → [10.244.0.0/16, "fd00:10:244::/56"]'],
    ],
    [
      'dual stack for pods alone',
      changed(['10.244.0.0/16', '[10.244.0.0/16, "fd00:10:244::/56"]']),
      [
        '7:18 pods have 2 networks, services one network → as many in `podSubnet` as in `serviceSubnet`: one, or one of each family',
      ],
    ],
    [
      'pods of another family than the nodes',
      changed(['10.244.0.0/16', '"fd00:10:244::/56"'], ['10.96.0.0/16', '"fd00:10:96::/112"']),
      [
        '6:14 the first is IPv6, but the nodes have IPv4 → an IPv4 network first',
        '7:18 the first is IPv6, but the nodes have IPv4 → an IPv4 network first',
      ],
    ],
    [
      'a node outside the node network',
      changed(['192.0.2.21', '198.51.100.21']),
      [
        '30:14 198.51.100.21 of worker01 is outside the node network 192.0.2.0/24 → an address inside it, or `network.nodeSubnet` with every network of the nodes',
      ],
    ],
    [
      'a node with the broadcast address',
      changed(['192.0.2.21', '192.0.2.255']),
      ['30:14 192.0.2.255 is the broadcast address of 192.0.2.0/24 → another address of 192.0.2.0/24'],
    ],
    [
      'a worker in a second network of the nodes',
      changed(
        ['192.0.2.21', '198.51.100.21'],
        ['  podSubnet', '  nodeSubnet: [192.0.2.0/24, 198.51.100.0/24]\n  podSubnet'],
      ),
      [],
    ],
    [
      'a control plane that cannot hold the virtual address',
      changed(
        ['192.0.2.13', '198.51.100.13'],
        ['  podSubnet', '  nodeSubnet: [192.0.2.0/24, 198.51.100.0/24]\n  podSubnet'],
      ),
      [
        '28:14 198.51.100.13 of master03 is not in 192.0.2.0/24, the network of the virtual address that it may hold → an address in 192.0.2.0/24',
      ],
    ],
  ]);

  test('a whole cluster of IPv6', () => {
    const text = sound
      .replaceAll(/192\.0\.2\.(\d+)(\/24)?/g, (_, last: string, prefix?: string) =>
        prefix ? `"2001:db8::${last}/64"` : `"2001:db8::${last}"`,
      )
      .replace('10.244.0.0/16', '"fd00:10:244::/56"')
      .replace('10.96.0.0/16', '"fd00:10:96::/112"');
    expect(said(text)).toEqual([]);
  });
});

describe('the endpoint', () => {
  rows([
    [
      'the address of a node',
      changed(['192.0.2.80/24', '192.0.2.12/24']),
      ['10:12 192.0.2.12 is the address of master02 → an address that no machine has'],
    ],
    [
      'outside the node network',
      changed(['  podSubnet', '  nodeSubnet: 192.0.2.0/26\n  podSubnet']),
      ['11:12 192.0.2.80 is outside the node network 192.0.2.0/26 → a free address inside it'],
    ],
    [
      'the name of its network',
      changed(['192.0.2.80/24', '192.0.2.0/24']),
      ['10:12 192.0.2.0 is the name of the network 192.0.2.0/24 itself → another address of that network'],
    ],
    [
      'missing with three control planes',
      sound
        .replace(/controlPlaneEndpoint:\n(?: {2}.*\n)*/, '')
        .replace('network:\n', 'network:\n  nodeSubnet: 192.0.2.0/24\n'),
      [
        '1:1 3 control planes need one address for all of them: `controlPlaneEndpoint` is missing → controlPlaneEndpoint: { address: 192.0.2.80/24 }',
      ],
    ],
    ['missing with one control plane', single, []],
    [
      'missing, and no network either',
      single.replace('network: { nodeSubnet: 192.0.2.0/24 }\n', ''),
      [
        '1:1 the network of the nodes is unknown: `nodeSubnet` is missing in `network` → network: { nodeSubnet: 192.0.2.0/24 }',
      ],
    ],
    [
      'a virtual address that nobody would hold',
      `${single}controlPlaneEndpoint: { address: 192.0.2.80/24 }\n`,
      [
        '9:34 nothing would hold 192.0.2.80: there is one control plane and no load balancer → 192.0.2.11/24, the address of node01; or `loadBalancer: { placement: stacked }`',
      ],
    ],
    [
      'a port that nobody would answer',
      `${single}controlPlaneEndpoint: { address: 192.0.2.11/24, port: 443 }\n`,
      [
        '9:55 nothing would listen on port 443: without a load balancer the API server itself answers → 6443, the port of the API server',
      ],
    ],
    [
      'one control plane that is ready for more',
      `${single}controlPlaneEndpoint: { address: 192.0.2.80/24, loadBalancer: { placement: stacked } }\n`,
      [
        'warning 9:76 one control plane holds the virtual address: if it fails, nothing takes over → three control planes, now or later',
      ],
    ],
    [
      'nobody balances for three',
      changed(['placement: stacked', 'placement: none']),
      [
        '13:16 with 3 control planes, `none` would leave clients with one of them → stacked, { hosts: [lb01, lb02] } or external',
      ],
    ],
    [
      'a load balancer that is not ours',
      changed(
        ['placement: stacked', 'placement: external'],
        ['192.0.2.80/24', '198.51.100.80/32'],
        ['  podSubnet', '  nodeSubnet: 192.0.2.0/24\n  podSubnet'],
      ),
      [
        'warning 15:5 `keepalived` has no effect: the load balancer is not set up by this definition → remove the key',
        'warning 16:5 `haproxy` has no effect: the load balancer is not set up by this definition → remove the key',
      ],
    ],
  ]);
});

describe('how many', () => {
  rows([
    [
      'two control planes',
      without03,
      ['16:1 2 control planes tolerate no failure: etcd needs more than half of its members → 3, or 1'],
    ],
    [
      'four control planes',
      sound + node('master04', '192.0.2.14', 'control-plane'),
      [
        '16:1 4 control planes tolerate no more failures than 3: etcd needs more than half of its members → 3 or 5',
      ],
    ],
    [
      'five',
      sound +
        node('master04', '192.0.2.14', 'control-plane') +
        node('master05', '192.0.2.15', 'control-plane'),
      [],
    ],
    [
      'none',
      single.replace('control-plane, worker', 'worker'),
      ['7:1 no node is a control plane → roles: [control-plane] at one node, or at three'],
    ],
    [
      'two members of etcd beside the control planes',
      sound + node('etcd01', '192.0.2.41', 'etcd') + node('etcd02', '192.0.2.42', 'etcd'),
      ['16:1 2 members of etcd tolerate no failure: etcd needs more than half of its members → 3, or 1'],
    ],
    [
      'one member of etcd for three control planes',
      sound + node('etcd01', '192.0.2.41', 'etcd'),
      [
        'warning 16:1 3 control planes share one member of etcd: without it none of them works → the role etcd at three nodes',
      ],
    ],
    [
      'nobody for the workloads',
      single.replace('control-plane, worker', 'control-plane'),
      ['warning 7:1 no node runs workloads → a node with the role worker'],
    ],
  ]);

  test('a role that is misspelt is not counted as missing', () => {
    expect(said(changed(['roles: [control-plane]', 'roles: [contorl-plane]']))).toEqual([
      '18:13 `roles[0]` cannot be "contorl-plane" → control-plane',
    ]);
  });
});

describe('load balancers of their own', () => {
  rows([
    ['two of them', dedicated, []],
    [
      'one that is not there',
      dedicated.replace('[lb01, lb02]', '[lb01, lb03]'),
      ['13:32 there is no host lb03 → lb01'],
    ],
    [
      'one that is a node',
      dedicated.replace('[lb01, lb02]', '[lb01, lb02, worker01]'),
      [
        '13:38 worker01 is a node, and a dedicated load balancer does nothing else → the name of a machine from `hosts`, or `placement: stacked`',
      ],
    ],
    [
      'one twice',
      dedicated.replace('[lb01, lb02]', '[lb01, lb02, lb01]'),
      ['13:38 lb01 is listed twice → each host once'],
    ],
    [
      'only one',
      dedicated.replace('[lb01, lb02]', '[lb01]'),
      [
        'warning 13:25 one load balancer: if it fails, nothing takes over → two hosts',
        'warning 34:13 nothing refers to lb02 → use its name where it is needed, or remove the host',
      ],
    ],
    [
      'one in another network',
      dedicated.replace('192.0.2.32', '198.51.100.32'),
      [
        '34:28 198.51.100.32 of lb02 is not in 192.0.2.0/24, the network of the virtual address that it may hold → an address in 192.0.2.0/24',
      ],
    ],
  ]);
});

describe('ports', () => {
  rows([
    [
      'HAProxy beside an API server',
      changed(['port: 8443', 'port: 6443']),
      [
        '11:9 port 6443 is used by both HAProxy and the API server on the same machine → another port for HAProxy, like 8443',
      ],
    ],
    ['HAProxy on machines of its own', dedicated.replace('port: 8443', 'port: 6443'), []],
    [
      'an API server on the port of HAProxy that nobody wrote',
      changed(['  port: 8443\n', ''], ['  podSubnet', '  apiServerPort: 8443\n  podSubnet']),
      [
        '10:1 port 8443 is used by both HAProxy and the API server on the same machine → another port for HAProxy',
      ],
    ],
    [
      'statistics on the endpoint',
      changed(['balance: all-active }', 'stats: { port: 8443, password: { env: A } } }']),
      [
        "15:31 port 8443 is used by both HAProxy's statistics and HAProxy on the same machine → another port for HAProxy's statistics",
      ],
    ],
    [
      'the endpoint on a port of etcd',
      changed(['port: 8443', 'port: 2379']),
      ['11:9 port 2379 is used by both HAProxy and etcd on the same machine → another port for HAProxy'],
    ],
    [
      'the endpoint on the port of sshd',
      dedicated.replace('port: 8443', 'port: 22'),
      ['11:9 port 22 is used by both HAProxy and sshd on the same machine → another port for HAProxy'],
    ],
  ]);
});

describe('VRRP', () => {
  const keepalived = (keys: string): string => changed(['election: nopreempt', keys]);
  rows([
    [
      'two machines of one priority',
      changed(['address: 192.0.2.12', 'address: 192.0.2.12\n    vrrpPriority: 243']),
      [
        '24:19 master02 and master01 have the same VRRP priority 243, so neither is preferred → vrrpPriority: 242 for master02',
      ],
    ],
    ['fast alone', keepalived('failover: fast'), []],
    [
      'fast with version 2',
      keepalived('failover: fast, vrrpVersion: 2, advertisementInterval: 1s'),
      ['14:48 version 2 cannot do `failover: fast`: it counts whole seconds → 3'],
    ],
    [
      'fast with a password',
      keepalived('failover: fast, password: { env: A }'),
      [
        '14:45 version 3 of VRRP has no password, and `failover: fast` needs version 3 → remove the key, or set vrrpVersion: 2',
      ],
    ],
    [
      'version 2 with less than a second',
      keepalived('advertisementInterval: 200ms'),
      [
        '14:42 version 2 of VRRP cannot advertise every 200ms → whole seconds, 1s to 255s; or `failover: fast` for less than a second',
      ],
    ],
    ['version 3 with less than a second', keepalived('vrrpVersion: 3, advertisementInterval: 200ms'), []],
    [
      'version 3 with a single millisecond',
      keepalived('vrrpVersion: 3, advertisementInterval: 5ms'),
      ['14:58 version 3 of VRRP cannot advertise every 5ms → tens of milliseconds, 10ms to 40s'],
    ],
    [
      'a check of less than a second',
      keepalived('check: { interval: 500ms }'),
      ['14:38 keepalived checks in whole seconds, not every 500ms → 1s'],
    ],
  ]);
});

describe('the way to the machines', () => {
  rows([
    [
      'nobody logs in',
      single.replace('ssh: { user: root }\n', ''),
      [
        '7:76 no user is given who logs in to node01: `user` is missing in `ssh` → ssh: { user: ubuntu } for every machine, or `ssh.user` at each',
      ],
    ],
    [
      'no host key is pinned',
      sound.replaceAll(/ {4}ssh: .*\n/g, ''),
      [
        'warning 17:5 no host key is pinned for master01, master02, master03 and 1 more, so no run can reach them yet → `npx task trust` shows the keys and writes them here once you have compared them',
      ],
    ],
    [
      'a host key that is cut',
      changed([
        'AAAAC3NzaC1lZDI1NTE5AAAAIMWF5R/rGki6T+Vb4BMpf3PZzZ3P+ldk4MJKR8K07W36',
        'AAAAC3NzaC1lZDI1NTE5AAAAIMWF5R',
      ]),
      [
        '20:21 "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMWF5R" is not a public host key → a line of `ssh-keyscan -t ed25519 HOST` without the host, like ssh-ed25519 AAAA…',
      ],
    ],
    [
      'a passphrase without a key',
      changed(['user: ansible', 'auth: { agent: true, passphrase: { env: A } }']),
      ['4:71 `passphrase` is for a private key, and none is named → privateKey: ~/.ssh/id_ed25519 beside it'],
    ],
    [
      'exceptions from a proxy that is not there',
      `${sound}proxy: { noProxy: [.example.org] }\n`,
      ['warning 32:10 `noProxy` has no effect without a proxy → `http` or `https` beside it'],
    ],
  ]);
});
