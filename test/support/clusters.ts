import type { Balancer, Cluster, Endpoint, Machine, Role } from '../../generators/cluster.ts';

type Overrides<Value> = { readonly [Key in keyof Value]?: Value[Key] };

/** A machine as a lab would have it: reached at its own address by key. */
export const machine = (name: string, address: string, overrides: Overrides<Machine> = {}): Machine => ({
  name,
  roles: ['control-plane', 'etcd', 'worker'] satisfies readonly Role[],
  address,
  family: address.includes(':') ? 6 : 4,
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

/** Three control planes that balance themselves. */
export const cluster = (overrides: Overrides<Cluster> = {}): Cluster => {
  const machines = overrides.machines ?? controlPlane;
  return {
    name: 'sample',
    review: 'optional',
    ansibleServer: { kind: 'local', directory: '/opt/playsmith' },
    kubernetes: { installer: 'none', version: '' },
    network: {
      nodeSubnets: ['10.0.0.0/24'],
      podSubnets: ['10.244.0.0/16'],
      serviceSubnets: ['10.96.0.0/12'],
      apiServerPort: 6443,
    },
    endpoint: endpoint(machines),
    machines,
    proxy: { http: '', https: '', noProxy: [] },
    secrets: [],
    ...overrides,
  };
};
