import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../../../generators/cluster/cluster.ts';
import { render } from '../../../../generators/render.ts';
import { oldKubespray } from '../../../support/definitions/clusters.ts';
import { kubesprayExample } from '../../../support/definitions/kubespray.ts';
import { templates } from '../../../support/definitions/templates.ts';

const example = kubesprayExample;

const fileOf = (cluster: Cluster, path: string): string =>
  render(cluster, templates).find((file) => file.path === `kubespray/${path}`)?.text ?? '';

const data = (cluster: Cluster, path: string): unknown => load(fileOf(cluster, path));

const at = (version: string, more: Partial<Cluster['kubespray']> = {}): Cluster => ({
  ...example,
  kubespray: { ...example.kubespray, version, ...more },
});

interface Hosts {
  readonly all: {
    readonly vars?: Readonly<Record<string, unknown>>;
    readonly hosts: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly children: Readonly<Record<string, { readonly hosts?: object; readonly children?: object }>>;
  };
}

describe('the inventory', () => {
  const { all } = data(example, 'hosts.yml') as Hosts;

  test('has every group that some version looks for, in the order of the definition', () => {
    expect(
      Object.entries(all.children).map(([name, { hosts, children }]) => [
        name,
        Object.keys(hosts ?? children ?? {}),
      ]),
    ).toEqual([
      ['kube_control_plane', ['master01', 'master02', 'master03']],
      ['etcd', ['master01', 'master02', 'master03']],
      ['kube_node', ['worker01', 'worker02']],
      ['calico_rr', []],
      ['k8s_cluster', ['kube_control_plane', 'kube_node', 'calico_rr']],
      ['broken_kube_control_plane', []],
      ['broken_etcd', []],
    ]);
  });

  test('has nodes alone, each with its address, and names of members that no order changes', () => {
    expect(Object.keys(all.hosts)).toEqual(['master01', 'master02', 'master03', 'worker01', 'worker02']);
    expect(all.hosts['master02']).toMatchObject({
      ansible_host: '192.0.2.12',
      ip: '192.0.2.12',
      access_ip: '192.0.2.12',
      etcd_member_name: 'etcd-master02',
    });
    expect(all.hosts['worker01']).toMatchObject({ node_labels: { disk: 'ssd' } });
    expect(all.hosts['worker02']).toMatchObject({ node_taints: ['dedicated=ingress:NoSchedule'] });
    expect(all.hosts['worker01']).not.toHaveProperty('etcd_member_name');
  });

  test('has the names of groups that a tag before v2.16 knows, and its folder of variables', () => {
    const old = oldKubespray();
    expect(Object.keys((data(old, 'hosts.yml') as Hosts).all.children)).toEqual(
      expect.arrayContaining(['kube-master', 'kube-node', 'k8s-cluster', 'calico-rr']),
    );
    expect(fileOf(old, 'group_vars/k8s-cluster/k8s-cluster.yml')).toContain('kube_network_plugin');
    expect(fileOf(old, 'hosts.ini')).toContain('[k8s-cluster:children]\nkube-master\nkube-node\ncalico-rr\n');
  });

  test('runs etcd on the host where an old tag would want Docker for it', () => {
    const type = 'etcd_deployment_type: "host"';
    expect(fileOf(at('v2.17.1'), 'group_vars/all/all.yml')).toContain(type);
    for (const cluster of [at('v2.18.0'), at('v2.17.1', { containerManager: 'docker' })])
      expect(fileOf(cluster, 'group_vars/all/all.yml')).not.toContain('etcd_deployment_type');
  });

  test('says once how hosts are reached where that is the same for all, and of each of them where it is not', () => {
    expect(all.vars).toMatchObject({ ansible_port: 22, ansible_user: 'ubuntu' });
    expect(all.hosts['master01']).not.toHaveProperty('ansible_port');
    const [first, ...others] = example.machines;
    if (first === undefined) throw new Error('the example has machines');
    const apart = { ...first, ssh: { ...first.ssh, port: 2222 } };
    const other = (data({ ...example, machines: [apart, ...others] }, 'hosts.yml') as Hosts).all;
    expect(other.vars).not.toHaveProperty('ansible_port');
    expect(Object.values(other.hosts).map((host) => host['ansible_port'])).toEqual([2222, 22, 22, 22, 22]);
  });

  test('asks for passwords by their variables', () => {
    expect((data(oldKubespray(), 'hosts.yml') as Hosts).all.vars).toMatchObject({
      ansible_password: '{{ vault_ssh_password }}',
    });
    expect(fileOf(oldKubespray(), 'kubespray-cluster.yml')).toBe('');
    expect(
      render(oldKubespray(), templates).find(({ path }) => path === 'kubespray-cluster.yml')?.text,
    ).toContain('vault_ssh_password: "{{ vault_ssh_password }}"');
  });
});

describe('the variables', () => {
  test('say the endpoint, its domain included, and no second balancer on nodes', () => {
    expect(data(example, 'group_vars/all/all.yml')).toMatchObject({
      loadbalancer_apiserver: { address: '192.0.2.80', port: 8443 },
      apiserver_loadbalancer_domain_name: '192.0.2.80',
      loadbalancer_apiserver_localhost: false,
    });
  });

  test('say the name of the endpoint as the domain, which kubespray writes to /etc/hosts', () => {
    const named = { ...example, endpoint: { ...example.endpoint, dnsName: 'api.example.org' } };
    expect(data(named, 'group_vars/all/all.yml')).toMatchObject({
      loadbalancer_apiserver: { address: '192.0.2.80', port: 8443 },
      apiserver_loadbalancer_domain_name: 'api.example.org',
    });
    const asked = render(named, templates).find(({ path }) => path === 'files/verify/nodes.py');
    expect(asked?.text).toContain('https://api.example.org:8443');
  });

  test('keep networks of the proxy as networks', () => {
    expect(data(example, 'group_vars/all/all.yml')).toMatchObject({
      additional_no_proxy: '192.0.2.0/24,.example.org,10.0.0.0/8',
      no_proxy_exclude_workers: true,
    });
    expect(data(example, 'group_vars/all/all.yml')).not.toHaveProperty('no_proxy');
  });

  test('say networks, plugin and version as the tag reads them', () => {
    expect(data(example, 'group_vars/k8s_cluster/k8s-cluster.yml')).toMatchObject({
      kube_network_plugin: 'cilium',
      kube_pods_subnet: '10.233.64.0/18',
      auto_renew_certificates: true,
    });
    expect(data(example, 'group_vars/k8s_cluster/k8s-net-cilium.yml')).toEqual({ cilium_mtu: 1450 });
  });

  test('say version and families of addresses to hosts of etcd too', () => {
    expect(data(example, 'group_vars/all/all.yml')).toMatchObject({
      kube_version: '1.32.8',
      ipv4_stack: true,
      ipv6_stack: false,
    });
    expect(data(at('v2.27.1'), 'group_vars/all/all.yml')).toMatchObject({
      kube_version: 'v1.32.8',
      enable_dual_stack_networks: false,
    });
  });

  test.each([
    ['v2.28.0', 'cilium', 'root'],
    ['v2.27.1', 'cilium', undefined],
    ['v2.31.0', 'calico', undefined],
  ])('let the owner of folders at %s with %s be %s', (version, networkPlugin, owner) => {
    const all = data(at(version, { networkPlugin }), 'group_vars/all/all.yml') as { kube_owner?: string };
    expect(all.kube_owner).toBe(owner);
  });

  test('tell cilium of the second family where it does not follow the cluster', () => {
    const network = { ...example.network, podSubnets: ['10.244.0.0/16', 'fd00:10::/56'] };
    const both = (version: string): unknown =>
      data({ ...at(version), network }, 'group_vars/k8s_cluster/k8s-net-cilium.yml');
    expect(both('v2.27.1')).toEqual({ cilium_mtu: 1450, cilium_enable_ipv6: true });
    expect(both('v2.28.1')).toEqual({ cilium_mtu: 1450 });
  });

  test.each([
    ['v2.18.2', 'crio_registries_mirrors'],
    ['v2.19.0', 'crio_registries'],
  ])('name the mirrors of cri-o as %s does', (version, key) => {
    const written = data(at(version, { containerManager: 'crio' }), 'group_vars/all/cri-o.yml');
    expect(Object.keys(written as object)).toEqual([key]);
  });

  test('pass on what the definition passes on', () => {
    expect(data(example, 'group_vars/all/extra.yml')).toEqual({
      kube_proxy_mode: 'iptables',
      enable_nodelocaldns: false,
    });
  });

  test.each([
    [
      'v2.22.2',
      {
        containerd_registries: {
          'docker.io': ['https://mirror.example.org', 'https://registry-1.docker.io'],
        },
      },
    ],
    [
      'v2.28.1',
      {
        containerd_registries_mirrors: [
          {
            prefix: 'docker.io',
            mirrors: [
              { host: 'https://mirror.example.org', capabilities: ['pull', 'resolve'], skip_verify: false },
              { host: 'https://registry-1.docker.io', capabilities: ['pull', 'resolve'], skip_verify: false },
            ],
          },
        ],
      },
    ],
  ])('say mirrors as %s reads them', (version, expected) => {
    expect(data(at(version), 'group_vars/all/containerd.yml')).toEqual(expected);
  });

  test.each([
    ['v2.27.1', 'containerd_registry_auth', 'password: "{{ vault_registry_password_docker_io }}"'],
    ['v2.31.0', 'Authorization', `"Basic {{ ('puller:' ~ vault_registry_password_docker_io) | b64encode }}"`],
  ])('log in to registries as %s does', (version, key, text) => {
    const [registry] = example.containerd.registries;
    const user = { ...registry, user: 'puller', passwordVariable: 'vault_registry_password_docker_io' };
    const cluster = {
      ...at(version),
      containerd: { ...example.containerd, registries: [user as typeof registry & object] },
    };
    const written = fileOf(cluster, 'group_vars/all/containerd.yml');
    expect(written).toContain(key);
    expect(written).toContain('registry-1.docker.io');
    expect(written).not.toMatch(/(?:https:\/\/|registry: ")docker\.io/);
    expect(written).toContain(text);
  });

  test('put a mirror in the place of every public host', () => {
    const offline = { files: 'http://files.example.org', registry: 'registry.example.org:5000' };
    const written = data(at('v2.28.1', { offline }), 'group_vars/all/offline.yml');
    expect(written).toMatchObject({
      registry_host: 'registry.example.org:5000',
      quay_image_repo: '{{ registry_host }}',
      github_url: '{{ files_repo }}/github.com',
    });
  });
});

describe('the playbooks that import its own', () => {
  test.each([
    ['v2.16.0', `default('/opt/kubespray', true) }}/facts.yml"`],
    ['v2.22.2', `default('/opt/kubespray', true) }}/playbooks/facts.yml"`],
  ])('name facts.yml where %s has it', (version, path) => {
    expect(fileOf(at(version, { tree: '/opt/kubespray' }), 'facts.yml')).toContain(path);
  });

  test('find a checkout in the home of who runs them', () => {
    expect(fileOf(example, 'cluster.yml')).toContain(
      `default(lookup('env', 'HOME') ~ '/playsmith/kubespray/v2.28.1/tree', true) }}/cluster.yml"`,
    );
  });
});
