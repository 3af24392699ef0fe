import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../../../generators/cluster/cluster.ts';
import { importAnsible, importKubespray } from '../../../../generators/import/inventory/index.ts';
import { clusterOf, fixtures, made, refusal, wishing } from '../../../support/definitions/imports.ts';

const rows = ({ machines }: Cluster) =>
  machines.map(({ name, roles, address }) => [name, roles.join(), address]);

describe('an inventory of kubespray', () => {
  const imported = importKubespray(fixtures('kubespray/current'), wishing());

  test('tells machines and roles, the first control plane of the group first', () => {
    expect(rows(clusterOf(imported))).toEqual([
      ['master229', 'control-plane,etcd', '10.10.0.229'],
      ['master228', 'control-plane,etcd', '10.10.0.228'],
      ['master230', 'control-plane,etcd', '10.10.0.230'],
      ['worker55', 'worker', '10.10.0.55'],
      ['worker75', 'worker', '10.10.0.75'],
    ]);
  });

  test('tells how machines are reached, through the bastion', () => {
    const { machines } = clusterOf(imported);
    expect(machines[3]?.ssh).toMatchObject({
      host: '203.0.113.55',
      port: 2222,
      user: 'admin',
      proxyJump: 'jumper@203.0.113.4',
      becomePasswordVariable: 'vault_ssh_become_password_worker55',
    });
    expect(machines.some(({ name }) => name === 'bastion1')).toBe(false);
  });

  test('asks for passwords by name, those of a vault by the name that they had there', () => {
    expect(made(imported).secrets).toEqual([
      { variable: 'SSH_PASSWORD', what: 'the login password of master229, master228, master230' },
      { variable: 'WORKER_SUDO', what: 'the sudo password of worker55' },
    ]);
    expect(made(imported).text).not.toContain('canary');
  });

  test('tells networks, proxies and the load balancer, which is somebody else', () => {
    const { network, proxy, endpoint } = clusterOf(imported);
    expect(network).toMatchObject({ podSubnets: ['10.244.0.0/16'], serviceSubnets: ['10.96.0.0/16'] });
    expect(proxy).toEqual({
      http: 'http://proxy.example.org:3128',
      https: '',
      noProxy: ['10.20.0.0/16', '.example.org'],
    });
    expect(endpoint).toMatchObject({ address: '10.10.0.100', prefix: 24, port: 8443, placement: 'external' });
  });

  test('keeps variables that no key says, without secrets', () => {
    const { text } = made(imported);
    expect(text).toMatch(/# {3}all\.kube_encrypt_token \(.*all\.yml:11:21\): "\(left out; 12 characters\)"/);
    expect(text).not.toContain('canary');
  });

  test('tells kubespray as the installer, with what it is passed and the names of its members', () => {
    const { kubernetes, kubespray } = clusterOf(imported);
    expect(kubernetes).toMatchObject({ installer: 'kubespray', version: '1.32.5' });
    expect(kubespray).toMatchObject({
      version: 'v2.28.1',
      tree: '/opt/kubespray',
      networkPlugin: 'cilium',
      etcdMembers: { master228: 'etcd1', master229: 'etcd2', master230: 'etcd3' },
      variables: { ntp_enabled: true, upstream_dns_servers: ['192.0.2.53'] },
    });
    expect(kubespray.certificateSans).toContain('api.example.org');
    expect(made(imported).text).not.toContain('certificateSans');
    expect(made(imported).assumptions).toContain(
      'kubespray is v2.28.1, which installs Kubernetes 1.32.5; the inventory names no tag',
    );
  });

  test.each([
    ['true', ['2001:db8::1', '2001:db8::2']],
    ['false', ['', '']],
  ])('with dual stack %s gives nodes the second address that kubespray knows as ip6', (isDual, expected) => {
    const text = [
      '[kube_control_plane]\nnode1 ip=10.0.0.1 ip6=2001:db8::1\n[etcd]\nnode1\n',
      '[kube_node]\nnode2 ip=10.0.0.2 ip6=2001:db8::2\n',
      `[all:vars]\nansible_user=ops\nenable_dual_stack_networks=${isDual}\n`,
    ].join('');
    const { machines } = clusterOf(importKubespray([{ file: 'hosts.ini', text }], wishing()));
    expect(machines.map(({ secondaryAddress }) => secondaryAddress)).toEqual(expected);
  });

  test('has IPv6 alone where kubespray has, with the networks and addresses of it', () => {
    const text = [
      '[kube_control_plane]\nnode1 ansible_host=192.0.2.1 ip=10.0.0.1 ip6=2001:db8::1\n[etcd]\nnode1\n',
      '[kube_node]\nnode2 ansible_host=2001:db8::2\n[all:vars]\nansible_user=ops\nipv4_stack=false\nipv6_stack=true\n',
      'kube_pods_subnet_ipv6=fd00:10::/64\nkube_pods_subnet=10.9.0.0/16\nkube_network_plugin=calico\n',
    ].join('');
    const imported = importKubespray([{ file: 'hosts.ini', text }], wishing());
    const { machines, network } = clusterOf(imported);
    expect(
      machines.map(({ address, secondaryAddress, ssh }) => [address, secondaryAddress, ssh.host]),
    ).toEqual([
      ['2001:db8::1', '', '192.0.2.1'],
      ['2001:db8::2', '', '2001:db8::2'],
    ]);
    expect(network).toMatchObject({
      podSubnets: ['fd00:10::/64'],
      serviceSubnets: ['fd85:ee78:d8a6:8607::1000/116'],
    });
    expect(made(imported).text).toMatch(/kube_pods_subnet \(.*: "10\.9\.0\.0\/16"/);
    expect(made(imported).text).toMatch(/node1\.ip \(.*: "10\.0\.0\.1"/);
  });

  test('takes labels of a text that is nothing else, and lists any other', () => {
    const of = (labels: string) => {
      const text = `[kube_control_plane]\nnode1 ip=10.0.0.1 node_labels="${labels}"\n[kube_node]\nnode1\n[all:vars]\nansible_user=ops\n`;
      return importKubespray([{ file: 'hosts.ini', text }], wishing());
    };
    expect(clusterOf(of('disk=ssd, zone=a')).machines[0]?.labels).toEqual([
      { key: 'disk', value: 'ssd' },
      { key: 'zone', value: 'a' },
    ]);
    expect(clusterOf(of('a=b,c=d=e,f')).machines[0]?.labels).toEqual([]);
    expect(made(of('a=b,c=d=e,f')).text).toMatch(/node1\.node_labels \(/);
  });

  test('lists numbers that a definition cannot say as they are', () => {
    const text = [
      'all:\n  vars:\n    ansible_user: ops\n    etcd_quota: 12345678901234567890\n    ntp_x: 1.0\n    ntp_y: -.inf\n',
      '    ntp_z: 1.5\n  children:\n    kube_control_plane: { hosts: { node1: { ip: 10.0.0.1 } } }\n',
    ].join('');
    const imported = made(importKubespray([{ file: 'hosts.yml', text }], wishing()));
    expect(imported.leftOver.map(({ path }) => path)).toEqual(['all.etcd_quota', 'all.ntp_x', 'all.ntp_y']);
    expect(imported.text).toContain('variables: { ntp_z: 1.5 }');
  });

  test.each([
    ['kube_version', '1.99.1', 'hosts.yml:4:19'],
    ['auto_renew_certificates_systemd_calendar', 'Mon 25:00', 'hosts.yml:4:47'],
  ])('tells of a wrong %s where it stands', (name, value, place) => {
    const text = [
      `all:\n  vars:\n    ansible_user: ops\n    ${name}: ${value}\n`,
      '  children:\n    kube_control_plane: { hosts: { node1: { ip: 10.0.0.1 } } }\n',
    ].join('');
    const texts = [{ file: 'hosts.yml', text }];
    expect(refusal(importKubespray(texts, wishing()), texts)).toContain(place);
  });

  test('asks for an address of IPv6 where a cluster has that alone', () => {
    const text =
      '[kube_control_plane]\nnode1 ansible_host=192.0.2.1\n[etcd]\nnode1\n[kube_node]\nnode1\n[all:vars]\nipv4_stack=false\n';
    const texts = [{ file: 'hosts.ini', text }];
    expect(refusal(importKubespray(texts, wishing()), texts)).toMatch(
      /no address is known for node1.*ip6: 2001:db8::11/s,
    );
  });

  test.each([
    ['kube_version=v1.20.7', 'docker'],
    ['kube_version=v1.20.7\ncontainer_manager=containerd', 'containerd'],
    ['kube_version=v1.29.5', 'containerd'],
  ])('goes on to run containers by what its tag has where nobody says it: %j', (variables, manager) => {
    const text = `[kube_control_plane]\nnode1 ip=10.0.0.1\n[etcd]\nnode1\n[kube_node]\nnode1\n[all:vars]\nansible_user=ops\n${variables}\n`;
    const imported = importKubespray([{ file: 'hosts.ini', text }], wishing());
    expect(clusterOf(imported).kubespray.containerManager).toBe(manager);
    expect(made(imported).assumptions.join().includes('containers run in Docker')).toBe(manager === 'docker');
  });

  test.each([
    ['calico_mtu=1450', 1450],
    ['calico_mtu=1450\nkube_network_plugin=cilium\ncilium_mtu=1400', 1400],
    ['calico_mtu=1450\nkube_network_plugin=flannel', 0],
  ])('has the size of packets that its plugin has: %j', (variables, mtu) => {
    const text = `[kube_control_plane]\nnode1 ip=10.0.0.1\n[etcd]\nnode1\n[kube_node]\nnode1\n[all:vars]\nansible_user=ops\n${variables}\n`;
    const imported = importKubespray([{ file: 'hosts.ini', text }], wishing());
    expect(clusterOf(imported).podNetwork.mtu).toBe(mtu);
    const listed = made(imported).leftOver.filter(({ path }) => path.endsWith('_mtu'));
    expect(listed).toHaveLength(mtu === 1450 ? 0 : 1);
  });

  test('gives labels, taints and registries to kubespray', () => {
    const { machines, containerd } = clusterOf(imported);
    expect(machines[3]?.labels).toContainEqual({ key: 'disk', value: 'ssd' });
    expect(containerd.registries[0]?.mirrors).toEqual(['https://mirror.example.org']);
  });

  test('gives labels, taints and registries to an installer of ours', () => {
    const { machines, containerd, kubernetes } = clusterOf(
      importKubespray(fixtures('kubespray/current'), wishing({ kubernetes: '1.32.5' })),
    );
    expect(machines[3]?.labels).toEqual([
      { key: 'disk', value: 'ssd' },
      { key: 'example.org/rack', value: 'r1' },
    ]);
    expect(machines[3]?.taints).toEqual([{ key: 'dedicated', value: 'database', effect: 'NoSchedule' }]);
    expect(containerd.registries[0]).toMatchObject({
      host: 'docker.io',
      mirrors: ['https://mirror.example.org'],
    });
    expect(kubernetes.certificateSans).toContain('api.example.org');
  });
});

describe('the name that kubespray gives its load balancer', () => {
  const inventory = (...variables: readonly string[]) =>
    importKubespray(
      [
        {
          file: 'hosts.ini',
          text: [
            '[kube_control_plane]\nnode1 ip=10.0.0.1\n[etcd]\nnode1\n[kube_node]\nnode2 ip=10.0.0.2\n',
            ...['[all:vars]', 'ansible_user=ops', ...variables].map((line) => `${line}\n`),
          ].join(''),
        },
      ],
      wishing(),
    );
  const domain = (name: string): string => `apiserver_loadbalancer_domain_name=${name}`;
  const balancer = 'loadbalancer_apiserver={"address": "10.0.0.80", "port": 8443}';

  test('is that of the endpoint, with the address behind it', () => {
    const { endpoint, kubespray } = clusterOf(importKubespray(fixtures('kubespray/current'), wishing()));
    expect(endpoint).toMatchObject({ dnsName: 'api.example.org', address: '10.10.0.100', port: 8443 });
    expect(kubespray.certificateSans).toContain('api.example.org');
  });

  test('stays so where kubeadm installs from now on', () => {
    const { endpoint } = clusterOf(
      importKubespray(fixtures('kubespray/current'), wishing({ kubernetes: '1.32.5' })),
    );
    expect(endpoint).toMatchObject({ dnsName: 'api.example.org', address: '10.10.0.100' });
  });

  test('is told of where nothing says it, since older versions have one of their own', () => {
    const own = expect.stringContaining('lb-apiserver.kubernetes.local') as string;
    expect(made(inventory(balancer)).assumptions).toContainEqual(own);
    expect(made(inventory(balancer, domain('api.example.org'))).assumptions).not.toContainEqual(own);
    expect(made(inventory()).assumptions).not.toContainEqual(own);
  });

  test('is none where it is the address itself', () => {
    const result = inventory(balancer, domain('10.0.0.80'));
    expect(clusterOf(result).endpoint).not.toHaveProperty('dnsName');
    expect(made(result).assumptions.join()).not.toContain('lb-apiserver');
  });

  test('is in certificates alone where no load balancer is told of, as with kubespray', () => {
    const { endpoint, kubespray } = clusterOf(inventory(domain('api.example.org')));
    expect(endpoint).not.toHaveProperty('dnsName');
    expect(kubespray.certificateSans).toContain('api.example.org');
  });

  test.each([
    ['node2', 'node2 is already the name of nodes[1]'],
    ['api_1.example.org', '"api_1.example.org" is not a DNS name'],
  ])('is refused where it stands when it is %s', (name, problem) => {
    const result = inventory(balancer, domain(name));
    expect(result.ok ? [] : result.failure.problems).toMatchObject([
      { file: 'hosts.ini', line: 10, message: problem },
    ]);
  });
});

describe('the load balancer that kubespray is told of', () => {
  const inventory = (text: string) => [
    {
      file: 'hosts.ini',
      text: `[kube_control_plane]\n${[1, 2, 3].map((n) => `n${n} ip=10.0.0.${n}\n`).join('')}[all:vars]\nansible_user=ops\n`,
    },
    { file: 'group_vars/all.yml', text: `${text}\n` },
  ];
  const endpointOf = (text: string, vip = '') =>
    clusterOf(importKubespray(inventory(text), wishing({ vip }))).endpoint;

  test('may be the address of kube-vip, and has its own port or that of the API servers', () => {
    const vip = 'kube_vip_enabled: true\nkube_vip_address: 10.0.0.80\n';
    const reference = 'loadbalancer_apiserver: { address: "{{ kube_vip_address }}"';
    expect(endpointOf(`${vip}${reference}, port: "{{ my_port }}" }\nmy_port: 8443`)).toMatchObject({
      ...{ address: '10.0.0.80', port: 8443, placement: 'external' },
    });
    expect(endpointOf(`${vip}${reference} }\nkube_apiserver_port: 7443`)).toMatchObject({ port: 7443 });
    expect(endpointOf(`${vip}kube_apiserver_port: 7443`)).toMatchObject({
      ...{ address: '10.0.0.80', port: 7443 },
    });
    expect(endpointOf('loadbalancer_apiserver: { address: 10.0.0.80 }')).toMatchObject({ port: 6443 });
  });

  test('that kube-vip holds gets no advice to have another one hold it', () => {
    const of = (text: string) => made(importKubespray(inventory(text), wishing()));
    const vip = 'kube_vip_enabled: true\nkube_vip_address: 10.0.0.80\n';
    const held = of(`${vip}loadbalancer_apiserver: { address: "{{ kube_vip_address }}", port: 6443 }`);
    expect(held.text).toContain('# kube-vip holds the address, as kubespray sets it up');
    expect(`${held.text}${held.assumptions.join()}`).not.toMatch(/stacked|something else balances/);
    const other = of(`${vip}loadbalancer_apiserver: { address: 10.0.0.81, port: 6443 }`);
    expect(other.assumptions.join()).toContain('something else balances the API');
  });

  test.each([
    "loadbalancer_apiserver: { address: \"{{ lookup('dig', 'api') }}\", port: 8443 }\nvip: 10.0.0.90",
    'loadbalancer_apiserver: { port: 8443 }',
    'loadbalancer_apiserver: "{{ my_balancer }}"',
    'loadbalancer_apiserver: { address: "{{ a }}" }\na: "{{ b }}"\nb: "{{ a }}"',
    'kube_vip_enabled: true\nkube_vip_address: "{{ vips[0] }}"',
  ])('is asked for where nothing says its address: %j', (text) => {
    const texts = inventory(text);
    expect(refusal(importKubespray(texts, wishing()), texts)).toContain(
      'nothing here says which address the load balancer of the API has',
    );
    expect(endpointOf(text, '10.0.0.81/24')).toMatchObject({
      ...{ address: '10.0.0.81', placement: 'external', port: text.includes('8443') ? 8443 : 6443 },
    });
  });

  test('with a port that nobody can read is refused', () => {
    const texts = inventory('loadbalancer_apiserver: { address: 10.0.0.80, port: "{{ port }}" }');
    expect(refusal(importKubespray(texts, wishing()), texts)).toContain('which port this is');
  });
});

describe('an inventory with names of old versions', () => {
  const texts = fixtures('kubespray/old');

  test('is refused where Ansible would pass over a variable', () => {
    expect(refusal(importKubespray(texts, wishing({ vip: '10.3.0.100' })), texts)).toContain(
      `kubespray/old/hosts.ini:3:7: Ansible knows no \`Ansible_host\`, and passes over it`,
    );
  });

  test('is read with its ranges, groups of groups and quotes once that is corrected', () => {
    const imported = importKubespray(texts, wishing({ vip: '10.3.0.100', fix: true }));
    const { machines, network } = clusterOf(imported);
    expect(
      machines.map(({ name, roles, ssh }) => [name, roles.join(), ssh.host, ssh.user, ssh.privateKey]),
    ).toEqual([
      ['node1', 'control-plane,etcd', '203.0.113.12', 'user1', '~/.ssh/site'],
      ['node2', 'control-plane,etcd', '203.0.113.13', 'user2', '~/.ssh/site'],
      ['node3', 'control-plane,etcd', '203.0.113.14', 'user3', '~/.ssh/site'],
      ['node4', 'worker', '203.0.113.15', 'ubuntu', '~/.ssh/site'],
      ['node5', 'worker', '203.0.113.16', 'ubuntu', '~/.ssh/site'],
    ]);
    expect(network).toMatchObject({ podSubnets: ['10.233.64.0/18'], serviceSubnets: ['10.233.0.0/18'] });
    expect(made(imported).secrets).toHaveLength(3);
  });

  test('needs an address for all control planes where not kubespray installs them', () => {
    const wishes = wishing({ fix: true, kubernetes: '1.36.3' });
    expect(refusal(importKubespray(texts, wishes), texts)).toContain(
      '3 control planes need one address for all of them, and nothing says it',
    );
  });
});

describe('any inventory of Ansible', () => {
  test('tells load balancers of their own, a virtual address and a jump host', () => {
    const { machines, endpoint } = clusterOf(
      importAnsible(fixtures('ansible/plain'), wishing({ fix: true })),
    );
    expect(machines.map(({ name, roles }) => [name, roles.join()])).toEqual([
      ['cp01.example.org', 'control-plane,etcd'],
      ['cp02.example.org', 'control-plane,etcd'],
      ['cp03.example.org', 'control-plane,etcd'],
      ['w-1', 'worker'],
      ['w2', 'worker'],
      ['lb1', 'load-balancer'],
      ['lb2', 'load-balancer'],
    ]);
    expect(machines[0]?.ssh.proxyJump).toBe('jump@bastion.example.org:2200');
    expect(endpoint).toMatchObject({ address: '192.0.2.80', placement: 'dedicated' });
  });

  test('names that are not safe everywhere are told with one that is', () => {
    const texts = fixtures('ansible/plain');
    expect(refusal(importAnsible(texts, wishing()), texts))
      .toContain(`"W_1" is not a name that is safe everywhere
  5 | W_1 ansible_host=192.0.2.21
    | ^^^
  Fix: w-1`);
  });

  test('is read as `ansible-inventory --list` prints it', () => {
    expect(rows(clusterOf(importAnsible(fixtures('ansible/list.json'), wishing())))).toEqual([
      ['a1', 'control-plane,etcd,worker', '192.0.2.11'],
      ['a2', 'worker', '192.0.2.12'],
    ]);
  });

  test('is read as `ansible-inventory --list --export` and programs print it', () => {
    const variables = { ansible_user: 'ops', http_proxy: 'http://192.0.2.1:3128' };
    const listed = {
      _meta: { hostvars: { a1: { ansible_host: '192.0.2.11' }, a2: { ansible_host: '192.0.2.12' } } },
      all: { children: ['kube_control_plane', 'kube_node'], vars: variables },
      kube_control_plane: ['a1'],
      kube_node: { hosts: ['a1', 'a2'], vars: { colour: 'red' } },
      a3: { ansible_host: '192.0.2.13' },
    };
    const imported = importAnsible([{ file: 'x.json', text: JSON.stringify(listed) }], wishing());
    expect(rows(clusterOf(imported))).toEqual([
      ['a1', 'control-plane,etcd,worker', '192.0.2.11'],
      ['a2', 'worker', '192.0.2.12'],
      ['a3', '', '192.0.2.13'],
    ]);
    expect(clusterOf(imported).proxy.http).toBe('http://192.0.2.1:3128');
    expect(made(imported).leftOver.map(({ path }) => path)).toEqual(['kube_node.colour']);
    const wrong = [{ file: 'x.json', text: '{"kube_node": ["a1"], "etcd": {"hosts": "a1"}}' }];
    expect(refusal(importAnsible(wrong, wishing()), wrong)).toContain('Ansible refuses the group etcd');
  });

  test('may say hosts and children as one text', () => {
    const text =
      'kube_control_plane: { hosts: "192.0.2.11" }\nkube_node: { children: more }\nmore: { hosts: 192.0.2.12 }\n';
    const imported = importAnsible([{ file: 'hosts.yml', text }], wishing({ user: 'ops' }));
    expect(rows(clusterOf(imported)).map(([, , address]) => address)).toEqual(['192.0.2.11', '192.0.2.12']);
  });

  test('without groups has the roles of the inventory builder, which is told', () => {
    const imported = importAnsible(
      fixtures('ansible/addresses'),
      wishing({ vip: '192.0.2.80', user: 'ops' }),
    );
    expect(rows(clusterOf(imported))).toEqual([
      ['node01', 'control-plane,etcd,worker', '192.0.2.11'],
      ['node02', 'control-plane,etcd,worker', '192.0.2.12'],
      ['node03', 'etcd,worker', '192.0.2.13'],
      ['node04', 'worker', '192.0.2.14'],
    ]);
    expect(clusterOf(imported).machines[3]?.ssh.port).toBe(2222);
    expect(made(imported).assumptions.join('\n')).toContain("kubespray's inventory builder");
  });

  test.each([
    ['all:\n  hosts:\n    - node1\n', 'Ansible refuses the group all: `hosts` is no mapping'],
    ['kube_node: { children: [etcd] }\n', 'Ansible refuses the group kube_node: `children` is no mapping'],
    ['kube_node: { vars: [a] }\n', 'Ansible refuses the group kube_node: `vars` is no mapping'],
    ['kube_node: { hosts: 5 }\n', 'Ansible refuses the group kube_node: `hosts` is no mapping'],
    ['all:\n  hosts:\n\tnode1:\n', 'a tab indents this line, which YAML does not allow'],
    ['all:\n  hosts:\n    node1: {}\n', 'no address is known for node1'],
    [
      'all:\n  hosts:\n    node1: { ip: 10.0.0.999 }\n  children: { kube_control_plane: { hosts: { node1: } } }\n',
      '"10.0.0.999" is not an IP address',
    ],
    ['all:\n  hosts:\n    n[1:x]: {}\n', 'from 1 to x is no range'],
  ])('%j is refused', (text, message) => {
    const texts = [{ file: 'hosts.yml', text }];
    expect(refusal(importAnsible(texts, wishing({ user: 'ops' })), texts)).toContain(message);
  });

  test.each([
    ['[kube_node\nnode1\n', 'not a section header'],
    ['[kube_node]\nnode1 ip\n', 'only `name=value` can stand behind a host'],
    ['[kube_node:vars]\nnothing\n', 'a line of `:vars` is `name=value`'],
  ])('%j is refused', (text, message) => {
    const texts = [{ file: 'hosts.ini', text }];
    expect(refusal(importAnsible(texts, wishing()), texts)).toContain(message);
  });

  test('two machines of one address are one problem, where the second stands', () => {
    const texts = [
      { file: 'hosts.ini', text: '[kube_control_plane]\na ip=10.0.0.1\n[kube_node]\nb ip=10.0.0.1\n' },
    ];
    expect(refusal(importAnsible(texts, wishing({ user: 'ops' })), texts))
      .toBe(`hosts.ini:4:3: 10.0.0.1 is already the address of a
  4 | b ip=10.0.0.1
    |   ^^^^^^^^^^^
  Fix: an address that no other machine has
`);
  });
});
