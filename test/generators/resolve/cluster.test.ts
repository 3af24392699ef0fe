import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { definitionDigest } from '../../../generators/definition-digest.ts';
import { priorityOf } from '../../../generators/definition/derived.ts';
import { parseAddress } from '../../../generators/source/networks.ts';
import { pauseImageOf } from '../../../generators/resolve/pause-image.ts';
import { registryVariable } from '../../../generators/resolve/secret-names.ts';
import { filesBeside } from '../../support/definitions/files-beside.ts';
import { changed, loaded, sound } from '../definition/support.ts';

const clusterOf = (text: string): Cluster => loaded(text).cluster;
const examples = join(import.meta.dirname, '../../../examples');
const example = (name: string): Cluster => {
  const text = readFileSync(join(examples, `${name}.yml`), 'utf8');
  return loaded(text, filesBeside(text, examples)).cluster;
};

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
        retention: { runs: 50, days: 90 },
      },
      kubernetes: { installer: 'none', version: '', packages: 'repository', repository: '' },
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
      etcdPort: 0,
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
    const full = example('full');
    const { secrets, machines, endpoint, externalLoadBalancer, kubernetes, containerd, proxy } = full;
    const ofBackup = secrets.filter(({ runs }) => runs !== undefined).map(({ variable }) => variable);
    expect([kubernetes.backup.identityVariable, ...(kubernetes.backup.copies ?? [])]).toMatchObject([
      'vault_backup_identity',
      { name: 'offsite' },
      { place: { accessKeyIdVariable: ofBackup[0], secretAccessKeyVariable: ofBackup[1] } },
    ]);
    expect(ofBackup).toEqual([
      'vault_backup_bucket_access_key_id',
      'vault_backup_bucket_secret_access_key',
      'vault_backup_identity',
    ]);
    expect(secrets.filter(({ runs }) => runs === undefined)).toEqual([
      {
        variable: 'vault_cloud_config',
        path: 'installer.kubeadm.externalCloudProvider.cloudConfig',
        reference: { kind: 'file', path: 'secrets/cloud.conf' },
      },
      {
        variable: 'vault_encryption_key',
        path: 'installer.kubeadm.encryption.secretKey',
        reference: { kind: 'env', name: 'ETCD_KEY' },
      },
      {
        variable: 'vault_external_keepalived_password',
        path: 'externalLoadBalancer.keepalived.password',
        reference: { kind: 'env', name: 'EXTERNAL_KEEPALIVED_PASSWORD' },
      },
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
        variable: 'vault_proxy_password',
        path: 'proxy.credentials.password',
        reference: { kind: 'env', name: 'PROXY_PASSWORD' },
      },
      {
        variable: 'vault_proxy_user',
        path: 'proxy.credentials.user',
        reference: { kind: 'env', name: 'PROXY_USER' },
      },
      {
        variable: 'vault_registry_password_registry_example_org___5000',
        path: 'containerd.registries.registry.example.org:5000.password',
        reference: { kind: 'env', name: 'REGISTRY_PASSWORD' },
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
      externalLoadBalancer.keepalived.passwordVariable,
      kubernetes.encryption.keyVariable,
      ...containerd.registries.map(({ passwordVariable }) => passwordVariable),
      kubernetes.externalCloudProvider?.configVariable ?? '',
      proxy.credentials?.userVariable ?? '',
      proxy.credentials?.passwordVariable ?? '',
      ...ofBackup,
    ].filter((variable) => variable !== '');
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

describe('what kubeadm is told', () => {
  const installed = (more = '', rest = ''): Cluster =>
    clusterOf(
      changed([
        'network:\n',
        `installer: { kubeadm: { version: 1.34.1${more === '' ? '' : `, ${more}`} } }\n${rest}network:\n  plugin: static-routes\n`,
      ]),
    );

  test('has no gaps', () => {
    expect(installed()).toMatchObject({
      kubernetes: {
        installer: 'kubeadm',
        version: '1.34.1',
        packages: 'repository',
        repository: 'https://pkgs.k8s.io/core:/stable:',
        imageRepository: '',
        extraArguments: { apiServer: [], controllerManager: [], scheduler: [], etcd: [] },
        audit: { rules: [], keepDays: 30, keepFiles: 10, megabytes: 100 },
        encryption: { provider: 'secretbox', keyVariable: '' },
        backup: { keep: 7 },
        upgrade: { workersAtOnce: 1 },
        preflight: { freeMegabytes: 10_000 },
      },
      containerd: {
        source: 'distribution',
        pauseImage: 'registry.k8s.io/pause:3.10.1',
        registries: [],
        cri: {},
      },
      podNetwork: { plugin: 'static-routes', version: '', url: '', mtu: 0 },
      offline: { artifacts: '', sha256: '' },
    });
  });

  test('certificates hold every name and address by which somebody may reach the API, each once and sorted', () => {
    const { kubernetes } = clusterOf(
      changed(
        [
          'network:\n',
          'installer: { kubeadm: { version: 1.34.1, certificateSans: [api.example.org, 192.0.2.11] } }\nnetwork:\n',
        ],
        ['ssh: { hostKey', 'ssh: { host: Master1.example.org, hostKey'],
        ['ssh: { hostKey', 'ssh: { host: my_master2, hostKey'],
      ),
    );
    expect(kubernetes.certificateSans).toEqual([
      '127.0.0.1',
      '192.0.2.11',
      '192.0.2.12',
      '192.0.2.13',
      '192.0.2.80',
      'api.example.org',
      'localhost',
      'master01',
      'master02',
      'master03',
      'master1.example.org',
    ]);
  });

  test('certificates hold the name of the endpoint, and its address all the same', () => {
    const { kubernetes, endpoint } = clusterOf(
      changed(
        ['network:\n', 'installer: { kubeadm: { version: 1.34.1 } }\nnetwork:\n'],
        ['  address: 192.0.2.80/24\n', '  address: 192.0.2.80/24\n  dnsName: api.example.org\n'],
      ),
    );
    expect(endpoint).toMatchObject({ address: '192.0.2.80', dnsName: 'api.example.org' });
    expect(kubernetes.certificateSans).toEqual(expect.arrayContaining(['192.0.2.80', 'api.example.org']));
  });

  test('arguments are sorted by name, settings left as they are', () => {
    const { extraArguments, kubelet } = installed(
      'extraArguments: { etcd: { b: "2", a: "1" } }, kubelet: { evictionHard: { memory.available: 1% }, maxPods: 9 }',
    ).kubernetes;
    expect(extraArguments.etcd).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ]);
    expect(kubelet).toEqual({ evictionHard: { 'memory.available': '1%' }, maxPods: 9 });
  });

  test('a level of the audit log is its rules, and requests never show secrets', () => {
    expect(installed('audit: { level: metadata }').kubernetes.audit.rules).toEqual([
      { level: 'Metadata', omitStages: ['RequestReceived'] },
    ]);
    expect(installed('audit: { level: request, keepDays: 3 }').kubernetes.audit).toMatchObject({
      keepDays: 3,
      rules: [
        {
          level: 'Metadata',
          resources: [{ group: '', resources: ['secrets', 'configmaps', 'serviceaccounts/token'] }, {}],
        },
        { level: 'Request' },
      ],
    });
  });

  test.each([
    ['1.31.0', '', 'registry.k8s.io/pause:3.10'],
    ['1.33.0', '', 'registry.k8s.io/pause:3.10'],
    ['1.35.9', '', 'registry.k8s.io/pause:3.10.1'],
    ['1.37.1', '', 'registry.k8s.io/pause:3.10.2'],
    ['1.34.0', 'registry.example.org/k8s', 'registry.example.org/k8s/pause:3.10.1'],
  ])('the pause image of %s from %j is %s', (version, repository, image) => {
    expect(pauseImageOf(version, repository)).toBe(image);
  });

  test('offline nothing has an address outside', () => {
    const offline = `offline: { artifacts: ~/artifacts, sha256: ${'a'.repeat(64)} }\n`;
    const archive = `containerd: { archive: { version: 2.2.3, sha256: ${'b'.repeat(64)}, runc: { version: 1.3.0, sha256: ${'c'.repeat(64)} } } }\n`;
    const cluster = installed('', offline + archive);
    expect(JSON.stringify(cluster)).not.toMatch(/https?:/);
    expect(cluster.kubernetes.packages).toBe('artifacts');
    expect(cluster.containerd).toMatchObject({ source: 'archive', archive: { url: '', runcUrl: '' } });
    expect(cluster.offline.artifacts).toBe('~/artifacts');
  });

  test('what is fetched comes from where its project publishes it', () => {
    const sums = 'sha256: '.concat('a'.repeat(64));
    const plugin = (written: string): Cluster['podNetwork'] =>
      clusterOf(
        changed([
          'network:\n',
          `installer: { kubeadm: { version: 1.34.1 } }\nnetwork:\n  mtu: 1450\n  plugin: ${written}\n`,
        ]),
      ).podNetwork;
    expect(plugin('{ flannel: { version: 0.28.4 } }')).toMatchObject({
      plugin: 'flannel',
      flannel: {
        backend: 'vxlan',
        image: 'ghcr.io/flannel-io/flannel:v0.28.4',
        pluginImage: 'ghcr.io/flannel-io/flannel-cni-plugin:v1.9.1-flannel1',
      },
      mtu: 1450,
    });
    expect(
      plugin('{ flannel: { version: 0.28.4, backend: host-gw, imageRepository: registry.example.org/f } }'),
    ).toMatchObject({ flannel: { backend: 'host-gw', image: 'registry.example.org/f/flannel:v0.28.4' } });
    expect(plugin(`{ calico: { version: 3.31.2, ${sums}, url: "https://a.b/c" } }`)).toMatchObject({
      plugin: 'calico',
      url: 'https://a.b/c',
    });
    expect(
      plugin(`{ cilium: { version: 1.18.2, ${sums}, helm: { version: 3.18.4, ${sums} } } }`),
    ).toMatchObject({
      plugin: 'cilium',
      url: 'https://helm.cilium.io/cilium-1.18.2.tgz',
      helmUrl: 'https://get.helm.sh/helm-v3.18.4-linux-amd64.tar.gz',
      helmSha256: 'a'.repeat(64),
    });
  });
});

test('labels of a node are sorted, zone and compute host among them', () => {
  const worker = example('full').machines.find(({ name }) => name === 'worker01');
  expect(worker).toMatchObject({
    labels: [
      { key: 'CIS-node', value: 'compute-03' },
      { key: 'disk', value: 'ssd' },
      { key: 'topology.kubernetes.io/zone', value: 'zone-1' },
    ],
    taints: [{ key: 'dedicated', value: 'database', effect: 'NoSchedule' }],
  });
});

test('two registries never share a variable', () => {
  const hosts = ['a-b', 'a.b', 'a:5000', 'a--b', 'a-b.c', 'a.b-c', 'a-b:5', 'a---5'];
  expect(new Set(hosts.map(registryVariable)).size).toBe(hosts.length);
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
