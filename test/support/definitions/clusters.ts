import type {
  Backup,
  Balancer,
  Cluster,
  Containerd,
  Drills,
  Endpoint,
  ExternalLoadBalancer,
  Kubernetes,
  Machine,
  PodNetwork,
  Role,
} from '../../../generators/cluster/cluster.ts';
import { noKubespray } from '../../../generators/resolve/kubespray.ts';

type Overrides<Value> = { readonly [Key in keyof Value]?: Value[Key] };

/** A machine as a lab would have it: reached at its own address by key. */
export const machine = (name: string, address: string, overrides: Overrides<Machine> = {}): Machine => ({
  name,
  roles: ['control-plane', 'etcd', 'worker'] satisfies readonly Role[],
  address,
  family: address.includes(':') ? 6 : 4,
  secondaryAddress: '',
  ssh: {
    host: address,
    port: 22,
    user: 'ops',
    privateKey: '~/.ssh/id_ed25519',
    passwordVariable: '',
    becomePasswordVariable: '',
    hostKeys: [],
    proxyJump: '',
  },
  labels: [],
  taints: [],
  ...overrides,
});

const controlPlane = [1, 2, 3].map((number) => machine(`cp${number}`, `10.0.0.1${number}`));

const balancersOf = (machines: readonly Machine[]): Balancer[] =>
  machines.map(({ name, address }, index) => ({ name, address, priority: 150 - index }));

export const endpoint = (machines: readonly Machine[], overrides: Overrides<Endpoint> = {}): Endpoint => ({
  address: '10.0.0.100',
  prefix: 24,
  family: 4,
  port: 6440,
  placement: 'stacked',
  balancers: balancersOf(machines),
  haproxy: {
    healthCheck: 'https',
    balance: 'all-active',
    check: { intervalMilliseconds: 1000, fall: 2, rise: 2 },
    servers: machines.map(({ name, address }) => ({ name, address, backup: false })),
    stats: { port: 0, user: '', passwordVariable: '' },
    etcdPort: 0,
  },
  keepalived: {
    interface: '',
    virtualRouterId: 51,
    version: 3,
    transport: 'unicast',
    election: 'nopreempt',
    advertisementInterval: 1,
    check: { intervalSeconds: 1, fall: 2, rise: 2 },
    passwordVariable: '',
  },
  ...overrides,
});

/** None, unless told otherwise. */
export const externalLoadBalancer = (
  overrides: Overrides<ExternalLoadBalancer> = {},
): ExternalLoadBalancer => ({
  balancers: [],
  address: '',
  prefix: 0,
  family: 4,
  apiPort: 0,
  services: [],
  check: { intervalMilliseconds: 1000, fall: 2, rise: 2 },
  healthPort: 10_256,
  drainSeconds: 30,
  keepalived: endpoint([]).keepalived,
  script: { text: '', arguments: [] },
  ...overrides,
});

/** Nobody installs Kubernetes, unless told otherwise. */
export const kubernetes = (overrides: Overrides<Kubernetes> = {}): Kubernetes => ({
  installer: 'none',
  version: '',
  packages: 'repository',
  repository: '',
  repositoryKey: 'DE15B14486CD377B9E876E1A234654DA9A296436',
  imageRepository: '',
  certificateSans: [],
  extraArguments: { apiServer: [], controllerManager: [], scheduler: [], etcd: [] },
  kubelet: {},
  kubeProxy: {},
  audit: { rules: [], keepDays: 30, keepFiles: 10, megabytes: 100 },
  encryption: { provider: 'secretbox', keyVariable: '' },
  backup: { keep: 7 },
  upgrade: { workersAtOnce: 1 },
  preflight: { freeMegabytes: 10_000 },
  ...overrides,
});

export const containerd = (overrides: Overrides<Containerd> = {}): Containerd => ({
  source: 'distribution',
  archive: { version: '', url: '', sha256: '', runcUrl: '', runcSha256: '' },
  pauseImage: '',
  registries: [],
  cri: {},
  ...overrides,
});

export const podNetwork = (overrides: Overrides<PodNetwork> = {}): PodNetwork => ({
  plugin: 'none',
  version: '',
  url: '',
  sha256: '',
  helmUrl: '',
  helmSha256: '',
  values: {},
  flannel:
    overrides.plugin === 'flannel'
      ? {
          backend: 'vxlan',
          image: 'ghcr.io/flannel-io/flannel:v0.28.4',
          pluginImage: 'ghcr.io/flannel-io/flannel-cni-plugin:v1.9.1-flannel1',
        }
      : { backend: '', image: '', pluginImage: '' },
  encapsulation: overrides.plugin === 'calico' ? 'ipip' : '',
  mtu: 0,
  ...overrides,
});

const repository = 'https://pkgs.k8s.io/core:/stable:';

/** What a cluster says that kubeadm installs, with addresses of the machines in its certificates. */
export const kubeadm = (
  machines: readonly Machine[],
  { version = '1.34.1', pauseImage = 'registry.k8s.io/pause:3.10.1' } = {},
): Pick<Cluster, 'kubernetes' | 'containerd' | 'podNetwork'> => ({
  kubernetes: kubernetes({
    installer: 'kubeadm',
    version,
    repository,
    certificateSans: machines.flatMap(({ name, address }) => [name, address]).toSorted(),
  }),
  containerd: containerd({ pauseImage }),
  podNetwork: podNetwork({ plugin: 'static-routes' }),
});

/** Three control planes that balance themselves. */
export const cluster = (overrides: Overrides<Cluster> = {}): Cluster => {
  const machines = overrides.machines ?? controlPlane;
  return {
    name: 'sample',
    review: 'optional',
    ansibleServer: {
      kind: 'local',
      directory: '/opt/playsmith',
      retention: { runs: 50, days: 90 },
      ansible: { kind: 'packages' },
    },
    kubernetes: kubernetes(),
    kubespray: noKubespray,
    containerd: containerd(),
    podNetwork: podNetwork(),
    offline: { artifacts: '', sha256: '' },
    network: {
      nodeSubnets: ['10.0.0.0/24'],
      podSubnets: ['10.244.0.0/16'],
      serviceSubnets: ['10.96.0.0/12'],
      apiServerPort: 6443,
    },
    endpoint: endpoint(machines),
    machines,
    externalLoadBalancer: externalLoadBalancer(),
    storage: { servers: [], persistentVolumes: [] },
    cnfs: { kept: false, all: [] },
    proxy: { http: '', https: '', noProxy: [] },
    secrets: [],
    ...overrides,
  };
};

const loadBalancers = [1, 2].map((number) =>
  machine(`lb0${number}`, `2001:db8::3${number}`, {
    roles: ['load-balancer'],
    ssh: {
      host: `lb0${number}.example.org`,
      port: 2222,
      user: 'admin',
      privateKey: '/home/ansible/keys/load balancers',
      passwordVariable: '',
      becomePasswordVariable: `vault_lb0${number}_sudo`,
      hostKeys: [
        `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAID${number}`,
        `ecdsa-sha2-nistp256 AAAAE2VjZHNhL${number}`,
      ],
      proxyJump: number === 1 ? 'jump@[2001:db8::1]:2200' : 'bastion.example.org',
    },
  }),
);

const distantNodes = [1, 2, 3].map((number) =>
  machine(`node-${number}`, `2001:db8::1${number}`, {
    roles: number === 3 ? ['worker'] : ['control-plane', 'etcd'],
    ssh: {
      host: `2001:db8::1${number}`,
      port: 22,
      user: 'root',
      privateKey: '',
      passwordVariable: 'vault_ssh_password',
      becomePasswordVariable: '',
      hostKeys: [`ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIN${number}`],
      proxyJump: '',
    },
  }),
);

/** Everything that can be different: IPv6, load balancers of their own, passwords, jump hosts, a proxy, statistics. */
export const awkward = (): Cluster => {
  const machines = [...distantNodes, ...loadBalancers];
  const plain = endpoint(loadBalancers);
  return cluster({
    name: 'awkward',
    review: 'required',
    kubernetes: { ...kubernetes(), installer: 'kubeadm', version: '1.34.1', repository },
    containerd: containerd({ pauseImage: 'registry.k8s.io/pause:3.10.1' }),
    network: {
      nodeSubnets: ['2001:db8::/64'],
      podSubnets: ['fd00:10:244::/56'],
      serviceSubnets: ['fd00:10:96::/112'],
      apiServerPort: 6443,
    },
    endpoint: {
      ...plain,
      address: '2001:db8::100',
      prefix: 64,
      family: 6,
      port: 6443,
      placement: 'dedicated',
      haproxy: {
        healthCheck: 'tcp',
        balance: 'first-active',
        check: { intervalMilliseconds: 500, fall: 3, rise: 1 },
        servers: distantNodes
          .slice(0, 2)
          .map(({ name, address }, index) => ({ name, address, backup: index > 0 })),
        stats: { port: 9000, user: 'admin', passwordVariable: 'vault_haproxy_stats' },
        etcdPort: 0,
      },
      keepalived: {
        ...plain.keepalived,
        interface: 'ens3',
        virtualRouterId: 7,
        election: 'preempt',
        advertisementInterval: 0.2,
      },
    },
    machines,
    proxy: { http: 'http://proxy.example.org:3128', https: '', noProxy: ['.example.org', '10.0.0.0/8'] },
    secrets: ['vault_haproxy_stats', 'vault_lb01_sudo', 'vault_lb02_sudo', 'vault_ssh_password'].map(
      (variable) => ({
        variable,
        path: `where.${variable}.is`,
        reference: { kind: 'env', name: variable.toUpperCase() },
      }),
    ),
  });
};

/** The files that the specification of HA masters for OpenStack Tacker shows. */
export const seed = (): Cluster => {
  const machines = [1, 2, 3].map((number) => machine(`master0${number}`, `192.168.128.1${number}`));
  const plain = endpoint(machines);
  return cluster({
    name: 'seed',
    machines,
    endpoint: {
      ...plain,
      address: '192.168.128.80',
      balancers: plain.balancers.map((balancer, index) => ({ ...balancer, priority: 103 - index })),
      haproxy: {
        ...plain.haproxy,
        healthCheck: 'tcp',
        balance: 'first-active',
        check: { intervalMilliseconds: 2000, fall: 3, rise: 2 },
        servers: plain.haproxy.servers.map((server, index) => ({ ...server, backup: index > 0 })),
      },
      keepalived: {
        interface: 'enp0s3',
        virtualRouterId: 123,
        version: 2,
        transport: 'multicast',
        election: 'preempt',
        advertisementInterval: 1,
        check: { intervalSeconds: 3, fall: 3, rise: 1 },
        passwordVariable: 'vault_keepalived_password',
      },
    },
    secrets: [
      {
        variable: 'vault_keepalived_password',
        path: 'controlPlaneEndpoint.loadBalancer.keepalived.password',
        reference: { kind: 'env', name: 'KEEPALIVED_PASSWORD' },
      },
    ],
  });
};

/** One control plane and nothing in front of it. */
export const single = (): Cluster => {
  const machines = [machine('only', '10.0.0.11'), machine('other', '10.0.0.21', { roles: ['worker'] })];
  const plain = endpoint([]);
  return cluster({
    name: 'lone',
    machines,
    endpoint: { ...plain, address: '10.0.0.11', port: 6443, placement: 'none' },
  });
};

/** Three control planes and two workers, all of Kubernetes from Playsmith's own playbooks. */
export const kubeadmCluster = (overrides: Overrides<Cluster> = {}): Cluster => {
  const workers = [1, 2].map((number) => machine(`w${number}`, `10.0.0.2${number}`, { roles: ['worker'] }));
  const masters = controlPlane.map((each) => ({ ...each, roles: ['control-plane', 'etcd'] as const }));
  return cluster({
    name: 'kube',
    machines: [...masters, ...workers],
    endpoint: endpoint(masters),
    ...kubeadm(masters),
    ...overrides,
  });
};

/** Snapshots that are encrypted, and copied to both kinds of places. */
export const encryptedBackup: Backup = {
  keep: 7,
  encryptTo: ['age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'],
  identityVariable: 'vault_backup_identity',
  copies: [
    {
      name: 'offsite',
      keep: 30,
      place: {
        ...{
          kind: 'sftp',
          host: 'backup.example.org',
          port: 22,
          user: 'edge-a',
          privateKey: '~/.ssh/backup',
        },
        ...{ hostKey: 'ssh-ed25519 AAAA', directory: '/srv/etcd' },
      },
    },
    {
      name: 'bucket',
      keep: 90,
      place: {
        ...{
          kind: 's3',
          endpoint: 'https://s3.example.org',
          region: 'us-east-1',
          bucket: 'etcd',
          prefix: '',
        },
        accessKeyIdVariable: 'vault_backup_bucket_access_key_id',
        secretAccessKeyVariable: 'vault_backup_bucket_secret_access_key',
        ca: '',
      },
    },
  ],
};

/** What `drills: {}` of a definition becomes. */
export const drills: Drills = {
  limits: { vip: 0, 'control-plane': 0, worker: 0, storage: 0 },
  atMost: 120,
  window: { from: '', to: '', days: [] },
};

/** A tag of kubespray before it renamed its groups, with etcd on hosts of its own and passwords for everything. */
export const oldKubespray = (): Cluster => {
  const heads = [1, 2].map((number) =>
    machine(`master${number}`, `10.0.0.1${number}`, { roles: ['control-plane'] }),
  );
  const members = [1, 2, 3].map((number) =>
    machine(`etcd${number}`, `10.0.0.3${number}`, { roles: ['etcd'] }),
  );
  const worker = machine('worker1', '10.0.0.21', { roles: ['worker'] });
  const ssh = { ...worker.ssh, passwordVariable: 'vault_ssh_password', privateKey: '' };
  return cluster({
    name: 'kubespray-old',
    machines: [...heads, ...members, worker].map((each) => ({
      ...each,
      ssh: { ...ssh, host: each.address },
    })),
    endpoint: endpoint(heads),
    kubernetes: kubernetes({ installer: 'kubespray', version: '1.19.9' }),
    kubespray: {
      ...noKubespray,
      version: 'v2.15.1',
      tree: '/opt/kubespray',
      venv: '~/playsmith/kubespray/v2.15.1/venv',
      python: 'python3.8',
      networkPlugin: 'calico',
      certificateSans: ['10.0.0.100', 'localhost'],
      etcdMembers: { etcd1: 'etcd1', etcd2: 'etcd2', etcd3: 'etcd-etcd3' },
    },
    secrets: [
      {
        variable: 'vault_ssh_password',
        path: 'ssh.password',
        reference: { kind: 'env', name: 'SSH_PASSWORD' },
      },
    ],
  });
};

/** Every cluster whose files are kept as goldens. */
export const goldenClusters: readonly Cluster[] = [cluster(), awkward(), seed(), single(), oldKubespray()];
