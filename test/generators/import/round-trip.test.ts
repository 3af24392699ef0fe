import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cluster, Machine } from '../../../generators/cluster/cluster.ts';
import { load } from '../../../generators/load.ts';
import { importAnsible, importKubespray } from '../../../generators/import/inventory/index.ts';
import type { Text } from '../../../generators/source/foreign/node.ts';
import { proxyEnvironment } from '../../../generators/phases/proxy-environment.ts';
import { render } from '../../../generators/render.ts';
import { exampleClusters } from '../../support/definitions/examples.ts';
import { clusterOf, made, wishing } from '../../support/definitions/imports.ts';
import { templates } from '../../support/definitions/templates.ts';
import { there } from '../../support/there.ts';

/** The bundle of a cluster, as it lies in a folder of this repository. */
const bundleOf = (cluster: Cluster): Text[] =>
  render(cluster, templates).map(({ path, text }) => ({ file: `playbooks/${cluster.name}/${path}`, text }));

/** Labels and what storage and other load balancers are for stand in no inventory. */
const kubernetesRoles = ['control-plane', 'etcd', 'worker', 'load-balancer'];

const machineOf = ({ name, roles, address, ssh }: Machine) => ({
  name,
  roles: roles.filter((role) => kubernetesRoles.includes(role)),
  address,
  ssh: {
    ...ssh,
    passwordVariable: ssh.passwordVariable !== '',
    becomePasswordVariable: ssh.becomePasswordVariable !== '',
    hostKeys: [...ssh.hostKeys].sort(),
  },
});

const environment = (cluster: Cluster) => {
  const { no_proxy = '', ...urls } = proxyEnvironment(cluster);
  // Of a proxy that wants a password an inventory says nothing.
  return cluster.proxy.http + cluster.proxy.https === '' || 'PYTHONPATH' in urls
    ? {}
    : { ...urls, no_proxy: no_proxy.split(',').sort() };
};

/** What a bundle says about a cluster, whatever words its definition was written in. */
const meaning = (cluster: Cluster) => {
  const { address, prefix, dnsName, port, placement, balancers, keepalived } = cluster.endpoint;
  const held = {
    virtualRouterId: 0,
    version: 0,
    transport: '',
    election: '',
    advertisementInterval: 0,
    interface: '',
  };
  const isOurs = placement === 'stacked' || placement === 'dedicated';
  return {
    name: cluster.name,
    machines: cluster.machines.map(machineOf),
    endpoint: { address, prefix, dnsName, port, placement, balancers },
    keepalived: Object.fromEntries(
      Object.keys(held).map((key) => [key, isOurs && keepalived[key as keyof typeof held]]),
    ),
    environment: environment(cluster),
    version: cluster.kubernetes.version,
    ...(cluster.kubernetes.installer === 'none'
      ? {}
      : { pods: cluster.network.podSubnets, services: cluster.network.serviceSubnets }),
  };
};

describe('importing what was rendered', () => {
  // A deploy host or a mesh is no cluster that could be imported.
  const clusters = exampleClusters.filter(({ osa, fleet }) => osa === undefined && fleet === undefined);
  test.each(clusters)('gives the meaning of $name back', (cluster) => {
    expect(meaning(clusterOf(importAnsible(bundleOf(cluster), wishing())))).toEqual(meaning(cluster));
  });

  test('says that the rest is in the definition, and passes on nothing of its own', () => {
    const [cluster] = clusters.filter(({ name }) => name === 'kubespray');
    const imported = made(importKubespray(bundleOf(there(cluster)), wishing()));
    expect(imported.assumptions.join()).toContain('of which only the inventory is read');
    expect(imported.text).not.toContain('kept_folder');
  });

  const named = clusters
    .filter(({ name }) => ['single', 'ha-stacked', 'kubespray'].includes(name))
    .map((cluster) => ({ ...cluster, endpoint: { ...cluster.endpoint, dnsName: 'api.example.org' } }));
  test.each(named)('gives the name of the endpoint of $name back', (cluster) => {
    expect(meaning(clusterOf(importAnsible(bundleOf(cluster), wishing())))).toEqual(meaning(cluster));
  });

  const behindProxy = clusters.filter(({ name }) => name === 'full');
  test.each(behindProxy)('says that the URLs of a proxy with a password are not in $name', (cluster) => {
    const imported = importAnsible(bundleOf(cluster), wishing());
    expect(JSON.stringify(imported)).toContain('the proxy wants a password');
  });

  test('gives the meaning of any definition back', () => {
    fc.assert(
      fc.property(arbitraryDefinition, (text) => {
        const loaded = load(text, 'cluster.yml');
        if (!loaded.ok) throw new Error(`${text}\n${JSON.stringify(loaded.failure)}`);
        const { cluster } = loaded.value;
        expect(meaning(clusterOf(importAnsible(bundleOf(cluster), wishing())))).toEqual(meaning(cluster));
      }),
      { numRuns: 15 },
    );
  });
});

const keys = [
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMWF5R/rGki6T+Vb4BMpf3PZzZ3P+ldk4MJKR8K07W36',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILSoSeASfJN8y8PkPE/vbKZQl1jRqsqDa1jI5Pd2BgJ/',
];

/** A definition that gives sshd one of these is refused: etcd, the API servers, the endpoint, kubelets, what runs beside them. */
const takenPorts: readonly number[] = [
  ...[2379, 2380, 2381, 6443, 8443, 9443],
  ...[10_248, 10_249, 10_250, 10_256, 10_257, 10_259],
];

const access = fc.record(
  {
    port: fc.integer({ min: 1, max: 65_535 }).filter((port) => !takenPorts.includes(port)),
    user: fc.constantFrom('ubuntu', 'ops', 'root'),
    privateKey: fc.constantFrom('~/.ssh/id_ed25519', '/etc/playsmith/key'),
    password: fc.constant({ env: 'SOME_PASSWORD' }),
    becomePassword: fc.constant({ env: 'OTHER_PASSWORD' }),
    hostKey: fc.constantFrom(...keys),
    proxyJump: fc.constantFrom(
      'none',
      'jump@bastion.example.org',
      '[2001:db8::1]:2222',
      'ops@203.0.113.9:2200',
    ),
  },
  { requiredKeys: [] },
);

const machines = (count: number, prefix: string, first: number) =>
  fc.tuple(
    ...Array.from({ length: count }, (_, index) =>
      fc.record({
        name: fc.constant(`${prefix}-${index}`),
        address: fc.constant(`10.1.0.${first + index}`),
        ssh: access,
      }),
    ),
  );

/** Three control planes that balance themselves, or load balancers beside them, and any ways to reach them. */
const arbitraryDefinition: fc.Arbitrary<string> = fc
  .record({
    leaders: machines(3, 'cp', 11),
    workers: fc.integer({ min: 0, max: 4 }).chain((count) => machines(count, 'w', 31)),
    balancers: fc.constantFrom(0, 2).chain((count) => machines(count, 'lb', 61)),
    alsoWorkers: fc.boolean(),
    shared: access,
    port: fc.constantFrom(8443, 9443),
    router: fc.integer({ min: 1, max: 255 }),
    election: fc.constantFrom('preempt', 'nopreempt'),
    transport: fc.constantFrom('unicast', 'multicast'),
    failover: fc.constantFrom('standard', 'fast'),
    proxy: fc.constantFrom(undefined, {
      http: 'http://proxy.example.org:3128',
      noProxy: ['.example.org', '10.9.0.0/16'],
    }),
  })
  .map(({ leaders, workers, balancers, alsoWorkers, shared, port, router, proxy, ...keepalived }) => {
    const common = Object.fromEntries(Object.entries(shared).filter(([key]) => key !== 'hostKey'));
    const roles = alsoWorkers ? ['control-plane', 'worker'] : ['control-plane'];
    const placement = balancers.length > 0 ? { hosts: balancers.map(({ name }) => name) } : 'stacked';
    return JSON.stringify({
      apiVersion: 'playsmith/v1',
      kind: 'Cluster',
      metadata: { name: 'any' },
      ansibleServer: 'local',
      ssh: { user: 'ubuntu', ...common },
      controlPlaneEndpoint: {
        address: '10.1.0.100/24',
        port,
        loadBalancer: { placement, keepalived: { virtualRouterId: router, ...keepalived } },
      },
      nodes: [...leaders.map((machine) => ({ ...machine, roles })), ...workers],
      ...(balancers.length > 0 ? { hosts: balancers } : {}),
      ...(proxy ? { proxy } : {}),
    });
  });
