import type { Cluster } from '../cluster/cluster.ts';
import { defaults } from '../definition/defaults.ts';
import type { Definition } from '../definition/schema/schema.ts';
import { noKubespray } from './kubespray.ts';
import { resolveHosts } from './machines.ts';
import { hostSecrets } from './secrets.ts';
import { resolveServer } from './server.ts';

/** What a definition of any kind says: its name, its Ansible server, its hosts and how they are reached. */
export type BaseDefinition = Pick<Definition, 'metadata' | 'review' | 'ansibleServer' | 'ssh' | 'hosts'>;

/** The part of a cluster that every kind has; what only a cluster of nodes has says "none". */
export const resolveBase = (definition: BaseDefinition): Cluster => ({
  name: definition.metadata.name,
  review: definition.review ?? defaults.review,
  ansibleServer: resolveServer(definition.ansibleServer),
  ...withoutNodes,
  machines: resolveHosts(definition),
  secrets: hostSecrets(definition),
});

const healthCheck = { intervalMilliseconds: 0, fall: 0, rise: 0 } as const;

const keepalived: Cluster['endpoint']['keepalived'] = {
  interface: '',
  virtualRouterId: 0,
  version: 2,
  transport: 'unicast',
  election: 'nopreempt',
  advertisementInterval: 0,
  check: { intervalSeconds: 0, fall: 0, rise: 0 },
  passwordVariable: '',
};

/** A cluster of no nodes: nothing is installed, balanced, stored or passed on. */
const withoutNodes: Omit<Cluster, 'name' | 'review' | 'ansibleServer' | 'machines' | 'secrets'> = {
  kubernetes: {
    installer: 'none',
    version: '',
    packages: 'repository',
    repository: '',
    repositoryKey: '',
    imageRepository: '',
    certificateSans: [],
    extraArguments: { apiServer: [], controllerManager: [], scheduler: [], etcd: [] },
    kubelet: {},
    kubeProxy: {},
    audit: { rules: [], keepDays: 0, keepFiles: 0, megabytes: 0 },
    encryption: { provider: 'secretbox', keyVariable: '' },
    backup: { keep: 0 },
    upgrade: { workersAtOnce: 0 },
    preflight: { freeMegabytes: 0 },
  },
  kubespray: noKubespray,
  containerd: {
    source: 'distribution',
    archive: { version: '', url: '', sha256: '', runcUrl: '', runcSha256: '' },
    pauseImage: '',
    registries: [],
    cri: {},
  },
  podNetwork: {
    plugin: 'none',
    version: '',
    url: '',
    sha256: '',
    helmUrl: '',
    helmSha256: '',
    values: {},
    flannel: { backend: '', image: '', pluginImage: '' },
    encapsulation: '',
    mtu: 0,
  },
  offline: { artifacts: '', sha256: '' },
  network: { nodeSubnets: [], podSubnets: [], serviceSubnets: [], apiServerPort: 0 },
  endpoint: {
    address: '',
    prefix: 0,
    family: 4,
    port: 0,
    placement: 'none',
    balancers: [],
    haproxy: {
      healthCheck: 'https',
      balance: 'all-active',
      check: healthCheck,
      servers: [],
      stats: { port: 0, user: '', passwordVariable: '' },
      etcdPort: 0,
    },
    keepalived,
  },
  storage: { servers: [], persistentVolumes: [] },
  externalLoadBalancer: {
    balancers: [],
    address: '',
    prefix: 0,
    family: 4,
    apiPort: 0,
    services: [],
    check: healthCheck,
    healthPort: 0,
    drainSeconds: 0,
    keepalived,
    script: { text: '', arguments: [] },
  },
  cnfs: { kept: false, all: [] },
  proxy: { http: '', https: '', noProxy: [] },
};
