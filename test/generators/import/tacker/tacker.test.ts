import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../../../generators/cluster/cluster.ts';
import { importTacker } from '../../../../generators/import/tacker/index.ts';
import { clusterOf, fixtures, made, refusal, wishing } from '../../../support/definitions/imports.ts';

const kubespray = (...names: readonly string[]) =>
  importTacker(
    fixtures('tacker/kubespray/request.json', ...names.map((name) => `tacker/kubespray/${name}.json`)),
    wishing(),
  );

const places = ({ machines }: Cluster) =>
  machines.map(({ name, roles, address, ssh }) => [name, roles.join(), address, ssh.host]);

const nodes = [
  ['master228', 'control-plane,etcd', '10.10.0.228', '203.0.113.228'],
  ['worker55', 'worker', '10.10.0.55', '203.0.113.55'],
  ['worker75', 'worker', '10.10.0.75', '203.0.113.75'],
];

describe('a cluster of the driver for kubespray', () => {
  test.each([
    ['Heat and the instance', ['heat', 'instance']],
    ['Heat alone', ['heat']],
    ['the instance with ports and floating addresses', ['instance', 'ports', 'floating']],
    ['ports as older clients write them', ['instance', 'ports-text', 'floating']],
    ['the instance with servers', ['instance', 'servers']],
    ['servers that are named as their VDUs', ['servers']],
    ['everything at once', ['heat', 'instance', 'ports', 'floating', 'servers']],
  ])('is found by %s', (_, names) => {
    const cluster = clusterOf(kubespray(...names));
    expect(places(cluster).slice(0, 3)).toEqual(nodes);
    expect(places(cluster)[3]?.slice(2)).toEqual(['10.10.0.182', '203.0.113.182']);
  });

  test('brings its networks, proxies and the Ansible server', () => {
    const { network, proxy, ansibleServer } = clusterOf(kubespray('heat'));
    expect(network).toMatchObject({
      nodeSubnets: ['10.10.0.0/24'],
      podSubnets: ['192.168.0.0/16'],
      serviceSubnets: ['10.199.187.0/24'],
    });
    expect(proxy).toEqual({
      http: 'http://proxy.example.org:3128',
      https: 'http://proxy.example.org:3128',
      noProxy: ['172.16.0.0/12', '.example.org'],
    });
    expect(ansibleServer).toMatchObject({
      host: '198.51.100.5',
      user: 'ansible',
      auth: { kind: 'password', password: { kind: 'env', name: 'ANSIBLE_SERVER_PASSWORD' } },
    });
  });

  test('brings its external load balancer', () => {
    expect(made(kubespray('heat')).text).toContain(
      'externalLoadBalancer: { hosts: [elb01], api: { port: 8383 } }',
    );
  });

  test('has the floating address of the load balancer, which its VIM uses, in certificates', () => {
    const { kubespray: told, machines } = clusterOf(kubespray('heat'));
    const balancer = machines.find(({ name }) => name === 'elb01');
    expect(balancer?.ssh.host).not.toBe(balancer?.address);
    expect(told.certificateSans).toEqual(expect.arrayContaining([balancer?.address, balancer?.ssh.host]));
  });

  test('keeps what no key says as a comment, and tells it', () => {
    const { text, kept } = made(kubespray('heat'));
    expect(text).toContain('# x-inventory: "/home/ansible/kubespray/inventory/mycluster"');
    expect(text).toContain('#   lcm-operation-user-data: "./UserData/k8s_cluster_user_data.py"');
    expect(kept.join('\n')).toContain('The inventory that kubespray was given until now');
  });

  test('names kubespray as the installer, where the driver has it, at the tag that it is written for', () => {
    const { kubernetes, kubespray: told } = clusterOf(kubespray('heat'));
    expect(kubernetes.installer).toBe('kubespray');
    expect(told).toMatchObject({ version: 'v2.16.0', tree: '/home/ansible/kubespray' });
    expect(made(kubespray('heat')).assumptions.join('\n')).toContain('kubespray is v2.16.0');
  });

  test('names no kubespray where kubeadm is wished for', () => {
    const files = fixtures('tacker/kubespray/request.json', 'tacker/kubespray/heat.json');
    const { kubernetes } = clusterOf(importTacker(files, wishing({ kubernetes: '1.34.1' })));
    expect(kubernetes).toMatchObject({ installer: 'kubeadm', version: '1.34.1' });
  });

  test('asks for each password by a name', () => {
    const imported = made(kubespray('heat'));
    expect(imported.secrets.map(({ variable }) => variable)).toEqual([
      'ANSIBLE_SERVER_PASSWORD',
      'MASTER_SSH_PASSWORD',
      'WORKER_SSH_PASSWORD',
      'ELB_SSH_PASSWORD',
    ]);
    expect(imported.text).not.toContain('canary');
  });

  test('is not found by the request alone, which says what is missing', () => {
    const texts = fixtures('tacker/kubespray/request.json');
    expect(refusal(importTacker(texts, wishing()), texts))
      .toContain(`nothing says which machines stand behind masterNode_CP1
  12 |         "nic_cp_name": "masterNode_CP1",
     |                        ^^^^^^^^^^^^^^^^
  Fix: beside this file: the VNF instance`);
  });
});

describe('a cluster of the driver for kubeadm', () => {
  const texts = fixtures('tacker/kubeadm-ha');
  const imported = importTacker(texts, wishing({ kubernetes: '1.34.1' }));

  test('has its virtual address, and names that Tacker gave', () => {
    const { endpoint, machines } = clusterOf(imported);
    expect(endpoint).toMatchObject({
      address: '10.10.0.100',
      prefix: 24,
      port: 16_443,
      placement: 'stacked',
    });
    expect(endpoint.keepalived.virtualRouterId).toBe(51);
    expect(machines.map(({ name }) => name)).toEqual([
      'master11',
      'master12',
      'master13',
      'worker21',
      'worker22',
      'storage01',
    ]);
  });

  test('knows by its labels which VNFC a node is, and where it runs', () => {
    expect(clusterOf(imported).machines[3]?.labels).toEqual([
      { key: 'CIS-node', value: 'compute01' },
      { key: 'topology.kubernetes.io/zone', value: 'az-1' },
      { key: 'vnfc', value: 'ec11e62f-d1e6-51f1-9778-5a12616c3f8a' },
    ]);
  });

  test('knows zones by a grant where Heat does not say them', () => {
    const [heat, instance] = texts;
    const plain = {
      file: 'heat.json',
      text: (heat?.text ?? '').replaceAll(/,\s*"OS-EXT-AZ:availability_zone": "[^"]*"/g, ''),
    };
    const grant = {
      file: 'grant.json',
      text: JSON.stringify({
        addResources: [{ resourceDefinitionId: 'ec11e62f-d1e6-51f1-9778-5a12616c3f8a', zoneId: 'z1' }],
        zones: [{ id: 'z1', zoneId: 'nova-2' }],
      }),
    };
    const files = [plain, grant, ...(instance ? [instance] : [])];
    const { machines } = clusterOf(importTacker(files, wishing({ kubernetes: '1.34.1' })));
    expect(machines[3]?.labels).toContainEqual({ key: 'topology.kubernetes.io/zone', value: 'nova-2' });
  });

  test('brings its storage by the id of the Cinder volume', () => {
    const { text } = made(imported);
    expect(text).toContain('- { cinderVolume: 5c547d4f-2144-5ad5-a96a-636e87bccd5e, mountTo: /volume }');
    expect(text).toContain('- { path: /volume/nfs/pv1, to: 10.10.0.0/24 }');
    expect(text).toContain('# manifests:\n#   - "Files/kubernetes/nfs-pv1.yaml"');
    expect(text.match(/^#? *storage:/gm)).toEqual(['storage:']);
  });

  test("brings its registries; Tacker's own password is left out", () => {
    const { containerd } = clusterOf(imported);
    expect(containerd.registries.map(({ host, mirrors, user }) => [host, mirrors, user])).toEqual([
      ['192.0.2.10:5000', ['http://192.0.2.10:5000'], ''],
      ['registry.example.org', [], 'puller'],
    ]);
    expect(made(imported).assumptions.join('\n')).toContain("asked by nobody's name");
  });

  test('tells that the user of a proxy is left out', () => {
    const { warnings, text } = made(imported);
    expect(warnings.map(({ message }) => message)).toContain(
      'the user and the password of this proxy are left out: they would be readable in every file',
    );
    expect(text).not.toContain('canary');
  });
});

describe('a cluster of the second version of the API', () => {
  const texts = fixtures('tacker/v2/request.json', 'tacker/v2/instance.json', 'tacker/v2/ports.json');

  test('is found by the ports of its connection points, and its address in the request', () => {
    const { machines, endpoint } = clusterOf(importTacker(texts, wishing()));
    expect(machines.map(({ name }) => name)).toEqual(['master10', 'master15', 'master153', 'worker30']);
    expect(endpoint.address).toBe('10.10.0.100');
  });
});

describe('what is wrong in a request', () => {
  const texts = fixtures('tacker/wrong/request.json');

  test('is told all at once, each with its correction', () => {
    const said = refusal(importTacker(texts, wishing()), texts);
    expect(said.match(/^\S+:\d+:\d+: .*$/gm)).toEqual([
      'tacker/wrong/request.json:5:22: warning: `script_path` is empty',
      'tacker/wrong/request.json:8:23: 0.0.0.0 is the address of no machine',
      'tacker/wrong/request.json:11:32: warning: `kubespray_root_path` is empty',
      'tacker/wrong/request.json:12:40: warning: `transferring_inventory_path` is empty',
      'tacker/wrong/request.json:20:21: 192.168.3.0/16 has host bits set: it is an address inside 192.168.0.0/16',
      'tacker/wrong/request.json:32:23: "http://host1:port1" is not the URL of a proxy',
      'tacker/wrong/request.json:33:24: "https://host2:port2" is not the URL of a proxy',
      'tacker/wrong/request.json:35:26: 10.10.0.5/24 has host bits set: it is an address inside 10.10.0.0/24',
      'tacker/wrong/request.json:37:7: warning: no driver of Tacker reads `colour`; it is kept as a comment',
    ]);
    expect(said).not.toContain('canary');
  });

  test('is corrected where that is wished, and told', () => {
    const imported = importTacker(texts, wishing({ fix: true }));
    expect(clusterOf(imported).network).toMatchObject({
      nodeSubnets: ['10.10.0.0/24'],
      podSubnets: ['192.168.0.0/16'],
    });
    expect(made(imported).fixed).toHaveLength(5);
    expect(made(imported).warnings.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        '`script_path` is empty',
        'no driver of Tacker reads `colour`; it is kept as a comment',
      ]),
    );
  });

  test('machines that Tacker gave one name get two', () => {
    const files = fixtures(
      'tacker/kubespray/request.json',
      'tacker/wrong/collision-instance.json',
      'tacker/wrong/collision-ports.json',
    );
    expect(refusal(importTacker(files, wishing()), files)).toContain(
      'Tacker names two machines worker5, so only one of them became a node; 10.10.1.5 is the other',
    );
    const fixed = importTacker(files, wishing({ fix: true, nodeSubnet: '10.10.0.0/23' }));
    expect(clusterOf(fixed).machines.map(({ name }) => name)).toEqual(['master11', 'worker5', 'worker1-5']);
  });

  test('a request for a CNF makes no cluster', () => {
    const files = fixtures('tacker/wrong/cnf-request.json');
    expect(refusal(importTacker(files, wishing()), files)).toContain(
      'this request deploys a CNF onto a cluster',
    );
  });

  test('a request about connections beside the one that makes the cluster is told, wherever it stands', () => {
    const links = { extVirtualLinks: [{ id: 'net0', resourceId: 'r', extCps: [] }] };
    const change = { file: 'change.json', text: JSON.stringify(links) };
    const files = [change, ...fixtures('tacker/kubespray/request.json', 'tacker/kubespray/heat.json')];
    const imported = importTacker(files, wishing());
    expect(places(clusterOf(imported)).slice(0, 3)).toEqual(nodes);
    expect(made(imported).warnings[0]).toMatchObject({
      file: 'change.json',
      message: 'another file of this kind is read, and this one ignored',
    });
  });

  test('a file that nobody knows is told', () => {
    const files = [{ file: 'a.json', text: '{"colour": "blue"}' }];
    expect(refusal(importTacker(files, wishing()), files)).toContain('nothing in this file tells what it is');
  });

  test('broken JSON is refused with line and column', () => {
    const files = [{ file: 'a.json', text: '{\r\n  "flavourId": "simple",\r\n}' }];
    expect(refusal(importTacker(files, wishing()), files)).toContain(
      'a.json:2:24: a comma before `}` is not JSON',
    );
  });
});
