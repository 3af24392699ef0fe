import { describe, expect, test } from 'vitest';
import { readInventory } from '../../../../generators/import/inventory/read.ts';
import { importKubespray } from '../../../../generators/import/inventory/index.ts';
import type { Text } from '../../../../generators/source/foreign/node.ts';
import { clusterOf, made, refusal, wishing } from '../../../support/definitions/imports.ts';

const ini = (...lines: readonly string[]) => [
  {
    file: 'hosts.ini',
    text: `${['[kube_control_plane]', 'n1 ip=10.3.0.1', '[etcd]', 'n1', '[kube_node]', 'n2 ip=10.3.0.2', ...lines].join('\n')}\n`,
  },
];
const yaml = (text: string) => [{ file: 'hosts.yaml', text }];
const user = wishing({ user: 'ops' });

const refused = (texts: ReturnType<typeof ini>): string => refusal(importKubespray(texts, user), texts);

test('a group that no section makes is refused, as Ansible does, with the one that was meant', () => {
  expect(refused(ini('[k8s_cluster:children]', 'kube_nodes'))).toContain(
    'hosts.ini:8:1: there is no section [kube_nodes], so Ansible reads nothing of this file',
  );
  expect(refused(ini('[k8s_cluster:children]', 'kube_nodes'))).toContain('Fix: kube_node');
  expect(refused(ini('[kube_nodes:vars]', 'a=1'))).toContain('there is no section [kube_nodes]');
  expect(refused(ini('[k8s_cluster:children]', 'kube_node', 'calico_rr', '[calico_rr]'))).toBe('');
});

test('a group below itself is refused, in every form', () => {
  expect(
    refused(ini('[k8s_cluster:children]', 'kube_node', '[kube_node:children]', 'k8s_cluster')),
  ).toContain('k8s_cluster holds kube_node already, so Ansible refuses it as its child');
  const texts = yaml(
    'all:\n  children:\n    kube_control_plane: { hosts: { n1: { ip: 10.3.0.1 } }, children: { kube_node: { children: { kube_control_plane: } } } }\n',
  );
  expect(refused(texts)).toContain('so Ansible refuses it as its child');
});

test('of a host that stands twice the last one counts, is told, and the first is listed', () => {
  const texts = yaml(
    'all:\n  hosts:\n    n1: { ip: 10.3.0.1, kubelet_max_pods: 90 }\n    n1: { ip: 10.3.0.9 }\n  children:\n    kube_control_plane: { hosts: { n1: } }\n    etcd: { hosts: { n1: } }\n    kube_node: { hosts: { n1: } }\n',
  );
  const imported = importKubespray(texts, user);
  const { warnings, leftOver } = made(imported);
  expect(clusterOf(imported).machines[0]?.address).toBe('10.3.0.9');
  expect(clusterOf(imported).kubespray.hostVariables).toEqual({});
  expect(warnings.map(({ message, line }) => `${line} ${message}`)).toContain(
    '4 `n1` is listed twice; the last one counts',
  );
  expect(leftOver.map(({ path, line }) => `${path}:${line}`)).toEqual([
    'all.hosts.n1.ip:3',
    'all.hosts.n1.kubelet_max_pods:3',
  ]);
});

test('anchors, aliases and merge keys are followed as by Ansible', () => {
  const texts = yaml(
    'all:\n  vars: &access { ansible_user: ops, ansible_port: 2200 }\n  hosts:\n    n1: &first { ip: 10.3.0.1, kubelet_max_pods: 90 }\n    n2: { <<: [*first, *access], ip: 10.3.0.2, ansible_port: 2201 }\n  children:\n    kube_control_plane: { hosts: { n1: } }\n    etcd: { hosts: { n1: } }\n    kube_node: { hosts: { n2: } }\n',
  );
  const cluster = clusterOf(importKubespray(texts, wishing()));
  expect(cluster.machines.map(({ address, ssh }) => [address, ssh.user, ssh.port])).toEqual([
    ['10.3.0.1', 'ops', 2200],
    ['10.3.0.2', 'ops', 2201],
  ]);
  expect(cluster.kubespray.hostVariables).toEqual({
    n1: { kubelet_max_pods: 90 },
    n2: { kubelet_max_pods: 90 },
  });
});

test.each([
  ['an alias without an anchor', 'all: { hosts: { n1: *none } }', 'nothing above has the anchor &none'],
  ['an alias of itself', 'all: &all { hosts: { n1: *all } }', 'nothing above has the anchor &all'],
  ['a merge of no mapping', 'a: &a 5\nall: { hosts: { n1: { <<: *a } } }', '`<<` takes in a mapping'],
  [
    'aliases of aliases without an end',
    `${Array.from({ length: 9 }, (_, index) => `x${index}: &x${index} [${Array.from({ length: 9 }, () => (index === 0 ? 'y' : `*x${index - 1}`)).join()}]`).join('\n')}\n`,
    'these aliases stand for too much',
  ],
])('%s is refused', (_, text, message) => {
  expect(refused(yaml(text))).toContain(message);
});

test('members of groups that mean nothing to a definition are listed, with their places', () => {
  const texts = ini('[gpu]', 'n2', '[racks:children]', 'gpu');
  expect(made(importKubespray(texts, user)).leftOver.map(({ path, line }) => `${path}:${line}`)).toEqual([
    'gpu.hosts:8',
    'racks.children:10',
  ]);
});

test('hosts of a range without an address are one problem, which says what stands there', () => {
  const texts = ini('[more]', 'x[1:2000] ansible_host=10.3.0.010');
  const shown = refused(texts);
  expect(shown.split('\n').length).toBeLessThan(8);
  expect(shown).toContain(
    'no address is known for x1, x2, x3 and 1997 more: ansible_host is 10.3.0.010, which is none',
  );
});

test('the tag that is assumed is one whose files are known', () => {
  expect(clusterOf(importKubespray(ini(), user)).kubespray.version).toBe('v2.31.0');
});

test('arguments of ssh beside the jump host are listed', () => {
  const texts = ini('[all:vars]', 'ansible_ssh_common_args="-o ConnectTimeout=9 -J jump@203.0.113.4"');
  expect(made(importKubespray(texts, user)).leftOver.map(({ path }) => path)).toEqual([
    'all.ansible_ssh_common_args',
  ]);
});

const beside = (...rows: readonly (readonly [file: string, text: string])[]) => [
  ...ini('[k8s_cluster:children]', 'kube_control_plane', 'kube_node'),
  ...rows.map(([file, text]) => ({ file, text: `${text}\n` })),
];
const written = (texts: ReturnType<typeof ini>): string => made(importKubespray(texts, user)).text;

test('files of variables that Ansible does not open keep nobody from an import', () => {
  const found = made(
    importKubespray(
      beside(
        ['group_vars/README.md', 'About'],
        ['host_vars/gone.yml', 'a: [1'],
        ['group_vars/all.yml', 'kubelet_max_pods: 120'],
      ),
      user,
    ),
  );
  const said = found.warnings.map(({ file, message }) => `${file}: ${message}`).join('\n');
  expect(said).toContain(
    'README.md: Ansible does not read this file, since nothing is in a group called README.md; neither could it be read here',
  );
  expect(said).toContain('gone.yml: Ansible does not read this file, since no host is called gone;');
  expect(found.text).toContain('kubelet_max_pods: 120');
  expect(refused(beside(['group_vars/kube_node.yml', 'a: [1']))).toContain('group_vars/kube_node.yml:');
  expect(refused(beside(['group_vars/all/README', 'About']))).toContain('variables are a mapping');
});

test('a port may stand behind the name of a host in YAML, too', () => {
  const texts = yaml(
    'all:\n  children:\n    kube_control_plane: { hosts: { "n1:2222": { ip: 10.3.0.1 } } }\n    etcd: { hosts: { n1: } }\n    kube_node: { hosts: { "n[2:3]:2201": { ansible_port: 2202 } } }\n',
  );
  const named = [2, 3].map((each) => ({ file: `host_vars/n${each}.yml`, text: `ip: 10.3.0.${each}\n` }));
  const { machines } = clusterOf(importKubespray([...texts, ...named], user));
  expect(machines.map(({ name, ssh }) => `${name} ${ssh.port}`)).toEqual(['n1 2222', 'n2 2202', 'n3 2202']);
});

test('files of variables are YAML 1.1, as Ansible reads them', () => {
  const text = written(
    beside([
      'group_vars/all/all.yml',
      'kubelet_fail_swap_on: no\ndns_autoscaler_enable: off\nkubelet_max_pods: 1_10\nkube_log_level: 010\nkube_profiling: !!str 5',
    ]),
  );
  for (const line of [
    ...['kubelet_fail_swap_on: false', 'dns_autoscaler_enable: false', 'kubelet_max_pods: 110'],
    ...['kube_log_level: 8', 'kube_profiling: "5"'],
  ])
    expect(text).toContain(line);
});

test('files of variables count more than what the inventory says of any group', () => {
  const text = written([
    ...ini(
      ...['[k8s_cluster:children]', 'kube_control_plane', 'kube_node', '[k8s_cluster:vars]'],
      ...['kube_network_plugin=flannel', 'kubelet_max_pods=50', '[kube_node:vars]', 'kube_log_level=3'],
    ),
    { file: 'group_vars/all.yml', text: 'kube_network_plugin: calico\nkube_log_level: 5\n' },
  ]);
  expect(text).toContain('networkPlugin: calico');
  expect(text).toContain('variables: { kube_log_level: 5, kubelet_max_pods: 50 }');
  expect(text).not.toContain('groupVariables');
  expect(text).toContain('k8s_cluster.kube_network_plugin (hosts.ini:11:1): "flannel"');
  expect(text).toContain('kube_node.kube_log_level (hosts.ini:14:1): 3');
});

test('quotes behind a host only hold words together, and a number does not begin with a zero', () => {
  const host = `n3 ip=10.3.0.3 node_labels='{"zone": "a"}' kubelet_max_pods="90" kube_log_level=010`;
  const text = written(ini('[kube_node]', host));
  expect(text).toContain('labels: { zone: a }');
  expect(text).toContain('hostVariables: { n3: { kubelet_max_pods: 90, kube_log_level: "010" } }');
});

test('labels have the values that kubespray gives them', () => {
  const host = [
    'n3:',
    '  ip: 10.3.0.3',
    '  node_labels: { a: true, b: "true", c: no, d: 1, e: 1.10, f: 2.0, g: ~ }',
  ];
  expect(
    written([
      {
        file: 'hosts.yml',
        text: `all:\n  hosts:\n    ${host.join('\n    ')}\n  children:\n    kube_node: { hosts: { n3: } }\n    kube_control_plane: { hosts: { n1: { ip: 10.3.0.1 } } }\n`,
      },
    ]),
  ).toContain('labels: { a: "True", b: "true", c: "False", d: "1", e: "1.1", f: "2.0", g: None }');
});

test('what Ansible does not read in a folder of variables is passed over', () => {
  const text = written(
    beside(
      ['group_vars/all/README.md', '# This: is: no YAML'],
      ['group_vars/all/all', 'kubelet_max_pods: 90'],
      ['group_vars/all/x.j2', 'kube_log_level: 5'],
    ),
  );
  expect(text).toContain('variables: { kubelet_max_pods: 90 }');
});

test('the text none is none, and only the None of an INI file is nothing', () => {
  const text = written(
    beside(['group_vars/all.yml', 'kube_network_plugin: none\ncalico_network_backend: none']),
  );
  expect(text).toContain('networkPlugin: none');
  expect(text).toContain('calico_network_backend: none');
  expect(written(ini('[kube_node]', 'n3 ip=10.3.0.3 kubelet_max_pods=None'))).toContain(
    'n3.kubelet_max_pods (hosts.ini:8:16): null',
  );
});

test('a network plugin that only old tags know is a reason for one of them, and one that none knows is told', () => {
  const weave = beside(['group_vars/all.yml', 'kube_network_plugin: weave']);
  expect(written(weave)).toContain('version: v2.28.1');
  expect(written(weave)).toContain('and that knows the network plugin weave');
  const odd = made(importKubespray(beside(['group_vars/all.yml', 'kube_network_plugin: odd']), user));
  expect(odd.warnings.map(({ file, line, message }) => `${file}:${line} ${message}`)).toContain(
    "group_vars/all.yml:1 no network plugin that kubespray knows is named here, so it would be kubespray's own choice: calico",
  );
});

test('flags of kubelets and ranges of ports are no secrets', () => {
  const text = written(
    beside([
      'group_vars/all.yml',
      'kubelet_node_custom_flags: ["--node-ip=10.3.0.1"]\nkube_apiserver_node_port_range: 30000-32767\nntp_timezone: Europe/Berlin',
    ]),
  );
  expect(text).toContain('kubelet_node_custom_flags: ["--node-ip=10.3.0.1"]');
  expect(text).toContain('kube_apiserver_node_port_range: 30000-32767');
  expect(text).toContain('ntp_timezone: Europe/Berlin');
});

const membersIn = (file: string, text: string, group: string): readonly string[] => {
  const read = readInventory([{ file, text }]);
  if (!read.ok) throw new Error(JSON.stringify(read.failure));
  return read.value.inventory.membersOf(group);
};

test('members of groups below groups come level by level, as `ansible -m debug` shows `groups`', () => {
  const uneven = [
    ...['[kube_control_plane:children]', 'rack_b', 'rack_a', 'late', '[rack_a]', 'a1', '[rack_b]', 'b1'],
    ...['[rack_b:children]', 'deep', '[deep]', 'd1', '[late]', 'l1'],
    ...['[etcd:children]', 'rack_b', 'rack_a', '[etcd]', 'e1'],
  ].join('\n');
  expect(membersIn('hosts.ini', uneven, 'kube_control_plane')).toEqual(['a1', 'b1', 'l1', 'd1']);
  expect(membersIn('hosts.ini', uneven, 'etcd')).toEqual(['e1', 'b1', 'a1', 'd1']);
  const tree = `all:
  children:
    kube_control_plane:
      children:
        outer: { children: { inner: { hosts: { i1: } } } }
        flat: { hosts: { f1: , i1: } }
      hosts: { own: }
    etcd: { children: { outer: , flat: } }
`;
  expect(membersIn('hosts.yml', tree, 'kube_control_plane')).toEqual(['own', 'f1', 'i1']);
  expect(membersIn('hosts.yml', tree, 'etcd')).toEqual(['f1', 'i1']);
});

test('of a host in two sections the later one counts, `hosts` behind `children` too', () => {
  const group = 'children: { b: { hosts: { n1: { ip: 10.3.0.1 } } } }, hosts: { n1: { ip: 10.3.0.9 } }';
  const text = `all: { children: { kube_control_plane: { ${group} } } }\n`;
  expect(clusterOf(importKubespray(yaml(text), user)).machines[0]?.address).toBe('10.3.0.9');
});

describe('several files', () => {
  const named = (file: string, text: string) => ({ file, text, isNamed: true as const });
  const nodes = '[kube_control_plane]\nn1 ip=10.3.0.1\n[etcd]\nn1\n[kube_node]\nn2 ip=10.3.0.2\n';
  const more = '[kube_node]\nn3 ip=10.3.0.3\n';
  const names = (texts: readonly Text[]): readonly string[] =>
    clusterOf(importKubespray(texts, user)).machines.map(({ name }) => name);
  const told = (texts: readonly Text[]): readonly string[] =>
    made(importKubespray(texts, user)).warnings.map(({ file, message }) => `${file}: ${message}`);

  test('that are named are all inventories, whatever they are called', () => {
    expect(names([named('edge/hosts.ini', nodes), named('edge/more', more)])).toEqual(['n1', 'n2', 'n3']);
    expect(names([named('prod.ini', nodes), named('more.ini', more)])).toEqual(['n1', 'n2', 'n3']);
  });

  test('in several folders are of several clusters, so that variables of one never count for the other', () => {
    const files = [
      { file: 'inventory/edge/hosts.yml', text: 'kube_node: { hosts: { n3: { ip: 10.3.0.3 } } }\n' },
      { file: 'inventory/edge/group_vars/all.yml', text: 'kube_network_plugin: cilium\n' },
      { file: 'inventory/sample/inventory.ini', text: '[kube_control_plane]\n[etcd]\n[kube_node]\n' },
      { file: 'inventory/sample/group_vars/all.yml', text: 'kube_network_plugin: calico\n' },
    ];
    expect(refusal(importKubespray(files, user), files)).toContain(
      '2 folders have an inventory, and a definition is of one cluster: inventory/edge/hosts.yml, inventory/sample/inventory.ini',
    );
    const both = [named('a/hosts.ini', nodes), named('b/hosts.ini', more)];
    expect(names(both)).toEqual(['n1', 'n2', 'n3']);
    const ours = '# Generated by Playsmith for cluster edge: who is in which group.\n';
    const bundle = [
      { file: 'edge/inventory/hosts.ini', text: `${ours}${nodes}` },
      { file: 'edge/kubespray/hosts.ini', text: `${ours}${more}` },
    ];
    expect(names(bundle)).toEqual(['n1', 'n2', 'n3']);
  });

  test('of variables beside no inventory that is read are told: they count as beside a playbook', () => {
    const files = [
      { file: 'group_vars/all.yml', text: 'kube_log_level: 3\n' },
      { file: 'inventory/edge/hosts.yml', text: 'kube_control_plane: { hosts: { n3: { ip: 10.3.0.3 } } }\n' },
      { file: 'inventory/edge/group_vars/all.yml', text: 'kubelet_max_pods: 90\n' },
      { file: 'inventory/lab/lab.ini', text: nodes },
      { file: 'inventory/lab/group_vars/all.yml', text: 'kube_profiling: true\n' },
      { file: 'inventory/lab/host_vars/n3.yml', text: 'kube_profiling: false\n' },
    ];
    expect(told(files).filter((each) => !each.startsWith('cluster.yml'))).toEqual([
      'inventory/lab/group_vars/all.yml: the variables in inventory/lab count for this cluster, as those beside a playbook do: no inventory that is read lies there',
    ]);
  });

  test('of a folder without a usual name are its inventories, in the order of their names', () => {
    const files = [
      { file: 'edge/01-nodes.yml', text: 'kube_node: { hosts: { n3: { ip: 10.3.0.3 } } }\n' },
      { file: 'edge/02-rest', text: `${nodes}[cluster:children]\nkube_node\n[cluster]\n` },
      { file: 'edge/README.md', text: '# Machines\n' },
      { file: 'edge/site.yml', text: '# All\n---\n- hosts: all\n' },
    ];
    expect(names(files)).toEqual(['n3', 'n1', 'n2']);
  });

  test('of a folder without a usual name say together who is in which group', () => {
    const files = [
      { file: 'edge/01-nodes.yml', text: 'rack: { hosts: { n3: { ip: 10.3.0.3 } } }\n' },
      { file: 'edge/02-rest', text: nodes },
      { file: 'edge/03-groups.ini', text: '[kube_node:children]\nrack\n' },
    ];
    const { machines } = clusterOf(importKubespray(files, user));
    expect(machines.map(({ name, roles }) => `${name} ${roles.join()}`)).toContain('n3 worker');
  });

  test('beside the one with a usual name are named as not read, but no playbook', () => {
    const files = [
      { file: 'edge/hosts.ini', text: nodes },
      { file: 'edge/staging.ini', text: more },
      { file: 'edge/cloud.py', text: '#!/usr/bin/env python3\n' },
      { file: 'edge/site.yml', text: '---\n- hosts: all\n' },
    ];
    expect(names(files)).toEqual(['n1', 'n2']);
    expect(told(files).filter((each) => !each.startsWith('cluster.yml'))).toEqual([
      'edge/staging.ini: edge/staging.ini is not read: other files of this folder are named as its inventory',
      'edge/cloud.py: this is a program, which Ansible runs and an import does not',
    ]);
  });

  test('of a folder that Ansible would read without its .ini that one is named as not read, unless it has no host', () => {
    const hosts = {
      file: 'edge/hosts.yaml',
      text: 'kube_control_plane: { hosts: { n3: { ip: 10.3.0.3 } } }\n',
    };
    const sample =
      '# ours\n[all]\n# node1 ansible_host=1.2.3.4\n[kube_node] ; none\n[k8s_cluster:children]\nkube_node\n';
    const other = '[all]\n  n1:\n    ansible_host: 10.3.0.1\n';
    const beside = (text: string) => [{ file: 'edge/inventory.ini', text }, hosts];
    for (const text of [sample, nodes, other]) expect(names(beside(text))).toEqual(['n3']);
    const ours = (text: string) => told(beside(text)).filter((each) => each.startsWith('edge/inventory'));
    expect(ours(sample)).toEqual([]);
    expect(ours(`${sample}[racks:children]\nkube_node\n`)).toHaveLength(1);
    expect(ours(nodes)).toEqual([
      'edge/inventory.ini: edge/inventory.ini is not read: other files of this folder are named as its inventory, and Ansible passes over this one where it reads a folder',
    ]);
    expect(names([named('edge/inventory.ini', nodes), named('edge/hosts.yaml', hosts.text)])).toEqual([
      'n1',
      'n2',
      'n3',
    ]);
  });

  test('that only Terraform reads are no inventory, and Ansible can tell which is', () => {
    const text = 'cluster_name = "edge"\naz_list = ["nova"]\n';
    const folder = [
      { file: 'edge/cluster.tfvars', text },
      { file: 'edge/group_vars/all.yml', text: 'a: 1\n' },
    ];
    const refused = importKubespray(folder, user);
    expect(refused.ok ? [] : refused.failure.problems.map(({ message }) => message)).toEqual([
      'there is no inventory among these files',
    ]);
    expect(refusal(importKubespray(folder, user), folder)).toContain(
      'ansible-inventory --inventory hosts --list',
    );
  });

  test('by which a plugin of Ansible asks a cloud is refused with what it finds, or named as not read', () => {
    const cloud = 'plugin: openstack.cloud.openstack\nexpand_hostvars: true\n';
    const asking = [named('openstack.yml', cloud)];
    const message =
      "this tells Ansible's plugin openstack.cloud.openstack what to ask, and an import asks nobody";
    expect(refusal(importKubespray(asking, user), asking)).toContain(message);
    const beside = [
      { file: 'edge/hosts.ini', text: nodes },
      { file: 'edge/openstack.yml', text: cloud },
    ];
    expect(told(beside).filter((each) => each.startsWith('edge/'))).toEqual([
      `edge/openstack.yml: ${message}`,
    ]);
  });

  test('a group of an earlier file is one for a later one, and a program is refused', () => {
    const later = named('b.ini', '[racks:children]\nkube_node\n');
    expect(names([named('a.ini', nodes), later])).toEqual(['n1', 'n2']);
    const program = [named('a.ini', nodes), named('cloud', '#!/bin/sh\n')];
    expect(refusal(importKubespray(program, user), program)).toContain('ansible-inventory --inventory FILE');
  });
});

test('of a folder and a file of variables of one name the folder counts, and the file is told and listed', () => {
  const imported = importKubespray(
    beside(
      ['group_vars/all.yml', 'kubelet_max_pods: 50\nkube_log_level: 5'],
      ['group_vars/all/all.yml', 'kubelet_max_pods: 90'],
      ['host_vars/n2.yaml', 'kube_log_level: 4'],
      ['host_vars/n2.json', '{"kube_log_level": 3}'],
    ),
    user,
  );
  expect(made(imported).text).toContain('variables: { kubelet_max_pods: 90 }');
  expect(made(imported).text).toContain('hostVariables: { n2: { kube_log_level: 4 } }');
  expect(made(imported).leftOver.map(({ file, path }) => `${file} ${path}`)).toEqual([
    'group_vars/all.yml all.kubelet_max_pods',
    'group_vars/all.yml all.kube_log_level',
    'host_vars/n2.json n2.kube_log_level',
  ]);
  expect(made(imported).warnings.map(({ message }) => message)).toContain(
    'Ansible reads group_vars/all instead of this file',
  );
});

test('among groups of one depth that with the higher ansible_group_priority counts', () => {
  const lines = [
    '[aa]',
    'n2',
    '[bb]',
    'n2',
    '[aa:vars]',
    'kubelet_max_pods=50',
    '[bb:vars]',
    'kubelet_max_pods=90',
  ];
  expect(written(ini(...lines))).toContain('n2: { kubelet_max_pods: 90 }');
  const imported = importKubespray(ini(...lines, '[aa:vars]', 'ansible_group_priority=10'), user);
  expect(made(imported).text).toContain('n2: { kubelet_max_pods: 50 }');
  expect(made(imported).leftOver.map(({ path }) => path)).not.toContain('aa.ansible_group_priority');
});

test('behind a literal of [group:vars] a comment is one, behind a text it is part of it', () => {
  const text = written(
    ini(
      ...[
        '[all:vars]',
        'kube_apiserver_port=8443 # note',
        'kube_log_level="5" # c',
        'kubelet_max_pods=[1, 2] # x',
      ],
      'ntp_timezone=Europe/Berlin # note',
    ),
  );
  expect(text).toContain('apiServerPort: 8443');
  expect(text).toContain('kube_log_level: "5"');
  expect(text).toContain('kubelet_max_pods: [1, 2]');
  expect(text).toContain('ntp_timezone: "Europe/Berlin # note"');
});
