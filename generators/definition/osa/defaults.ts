/** What holds where a definition of kind OpenStackAnsibleMagnum says nothing. */
export const osaDefaults = {
  configurationDirectory: '/etc/openstack_deploy',
  checkout: '/opt/openstack-ansible',
  placement: 'containers',
  system: 'debian',
  podSubnet: '172.29.200.0/22',
  backups: 'disabled',
  hooks: 'disabled',
  certManager: 'x509keypair',
  networkDrivers: ['calico'],
  external: 'osa-pki',
  internal: 'http',
  endpoint: 'internal',
  driverSource: 'https://github.com/vexxhost/magnum-cluster-api',
  proxyPort: 44_355,
  masters: 1,
  workers: 1,
  /** What Magnum's driver gives to workload clusters unless their labels say otherwise. */
  workloadNetworks: ['10.100.0.0/16', '10.254.0.0/16', '10.0.0.0/24'],
} as const;
