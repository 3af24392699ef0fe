/** What holds where the definition says nothing. The reference page and `resolve` read the same values. */
export const defaults = {
  review: 'optional',
  /** In the home of the user that logs in: anybody can write there, no root needed to begin. */
  serverDirectory: '~/playsmith',
  retention: { runs: 50, days: 90 },
  apiServerPort: 6443,
  sshPort: 22,
  /** Beside an API server on the same machine. */
  stackedPort: 8443,
  endpointPort: 6443,
  podSubnet: { 4: '10.244.0.0/16', 6: 'fd00:10:244::/56' },
  serviceSubnet: { 4: '10.96.0.0/16', 6: 'fd00:10:96::/112' },
  kubernetes: {
    /** Packages of the Kubernetes project, one repository for each minor version below it. */
    repository: 'https://pkgs.k8s.io/core:/stable:',
    /** Of the key `isv:kubernetes OBS Project`, which signs them all. */
    repositoryKey: 'DE15B14486CD377B9E876E1A234654DA9A296436',
    audit: { keepDays: 30, keepFiles: 10, megabytes: 100 },
    encryption: { provider: 'secretbox' },
    backup: { keep: 7, keepCopies: 30, region: 'us-east-1' },
    upgrade: { workersAtOnce: 1 },
    /** The programs and images of a node, and room for the first pods. */
    preflight: { freeMegabytes: 10_000 },
  },
  network: {
    /** What calico's own manifest says. */
    calico: { encapsulation: 'ipip' },
    flannel: { backend: 'vxlan', imageRepository: 'ghcr.io/flannel-io', cniPlugin: 'v1.9.1-flannel1' },
  },
  kubespray: {
    python: 'python3',
    networkPlugin: 'calico',
    containerManager: 'containerd',
    workersAtOnce: 1,
  },
  storage: {
    server: 'kernel',
    fileSystem: 'ext4',
    reclaimPolicy: 'Retain',
    /** Nobody, in every distribution. */
    owner: { user: 65_534, group: 65_534, mode: '0770' },
  },
  externalLoadBalancer: {
    namespace: 'default',
    protocol: 'TCP',
    backends: 'workers',
    externalTrafficPolicy: 'Cluster',
    /** kube-proxy's own. */
    healthPort: 10_256,
    drain: '30s',
    interval: '1s',
    fall: 2,
    rise: 2,
  },
  cnf: {
    namespace: 'default',
    clusterRole: 'admin',
    timeout: '300s',
    step: 1,
    minimum: 1,
  },
  drills: { atMost: '120s' },
  patch: { workersAtOnce: 1 },
  haproxy: {
    healthCheck: 'https',
    balance: 'all-active',
    interval: '1s',
    fall: 2,
    rise: 2,
    statsUser: 'admin',
  },
  keepalived: {
    transport: 'unicast',
    election: 'nopreempt',
    failover: 'standard',
    interval: '1s',
    fall: 2,
    rise: 2,
    advertisementInterval: { standard: '1s', fast: '200ms' },
    /** Keepalived runs its check once a second at most, so two failures in a row are too slow to be fast. */
    fastFall: 1,
  },
} as const;
