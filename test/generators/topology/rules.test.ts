import { describe, expect, test } from 'vitest';
import { load } from '../../../generators/load.ts';
import { rulesOf } from '../../../generators/topology/rules.ts';
import { clusterTopology } from '../../../generators/topology/topology.ts';
import { exampleClusters } from '../../support/definitions/examples.ts';
import { clusterOf } from '../../support/definitions/reports.ts';

const rules = (text: string): readonly string[] => {
  const loaded = load(text, 'cluster.yml');
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.failure));
  const { cluster } = loaded.value;
  return rulesOf(cluster, clusterTopology(cluster)).map(({ to, from, port }) => `${from} > ${to}: ${port}`);
};

describe('what security groups have to let in', () => {
  test('is also what stays within a box, and the way back of every pair', () => {
    expect(rules(clusterOf(6))).toEqual(
      expect.arrayContaining([
        'Clients > Control plane: 8443/tcp',
        'Control plane > Control plane: 8443/tcp',
        'Control plane > Control plane: 6443/tcp',
        'Control plane > Control plane: 2379/tcp',
        'Control plane > Control plane: 2380/tcp',
        'Control plane > Control plane: 10250/tcp',
        'Control plane > Control plane: IP protocol 112 (VRRP)',
        'Control plane > Workers: 10250/tcp',
        'Ansible server > Workers: 22/tcp',
        'Clients > Workers: 30000-32767/tcp',
        'Clients > Workers: 30000-32767/udp',
      ]),
    );
  });

  test.each([
    ['plugin: calico, version: 3.30.0', 'IP protocol 4 (IPIP)'],
    ['plugin: calico, version: 3.30.0', '179/tcp'],
    ['plugin: calico, version: 3.30.0, encapsulation: vxlan', '4789/udp'],
    ['plugin: cilium, version: 1.18.0', '8472/udp'],
    ['plugin: cilium, version: 1.18.0', '4240/tcp'],
    ['plugin: static-routes', 'every protocol, from addresses of the pods'],
  ])('with %s is %s from every node to every node', (network, port) => {
    const given = exampleClusters.find(({ name }) => name === 'ha-stacked');
    if (given === undefined) throw new Error('no example is ha-stacked');
    const [, plugin = '', encapsulation = ''] =
      /plugin: ([\w-]+)(?:.*encapsulation: (\w+))?/.exec(network) ?? [];
    const podNetwork = {
      ...given.podNetwork,
      plugin: plugin as 'calico',
      encapsulation: (plugin === 'calico' ? encapsulation || 'ipip' : '') as 'ipip',
    };
    const cluster = { ...given, podNetwork };
    const found = rulesOf(cluster, clusterTopology(cluster)).filter((rule) => rule.port === port);
    expect(found.map(({ from, to }) => `${from} > ${to}`).toSorted()).toEqual([
      'Control plane > Control plane',
      'Control plane > Workers',
      'Workers > Control plane',
      'Workers > Workers',
    ]);
  });

  test('lets in the node ports that the API servers give', () => {
    const text = clusterOf(6);
    const told = text.replace(
      /(kubeadm: \{ version: [\d.]+)/,
      '$1, extraArguments: { apiServer: { service-node-port-range: 20000+100 } }',
    );
    expect(told).not.toBe(text);
    expect(rules(told)).toEqual(
      expect.arrayContaining(['Clients > Workers: 20000-20100/tcp', 'Clients > Workers: 20000-20100/udp']),
    );
    expect(rules(told).join()).not.toContain('30000');
  });

  test('is where HAProxy asks how a node is, and the etcd that it balances', () => {
    const full = exampleClusters.find(({ name }) => name === 'full');
    if (full === undefined) throw new Error('no example is full');
    const [service] = full.externalLoadBalancer.services;
    if (service === undefined) throw new Error('it balances no Service');
    const local = { ...service, externalTrafficPolicy: 'Local' } as const;
    const services = [
      { ...service, externalTrafficPolicy: 'Cluster' },
      { ...local, healthCheckNodePort: 31_080 },
      { ...local, healthCheckNodePort: 0, lookUp: true },
    ] as const;
    const cluster = {
      ...full,
      externalLoadBalancer: { ...full.externalLoadBalancer, healthPort: 10_300, services },
      machines: full.machines.map((machine) =>
        machine.roles.includes('control-plane')
          ? { ...machine, roles: [...machine.roles, 'worker' as const] }
          : machine,
      ),
    };
    const found = rulesOf(cluster, clusterTopology(cluster)).map(
      ({ to, from, port }) => `${from} > ${to}: ${port}`,
    );
    for (const to of ['Workers', 'Control plane'])
      expect(found).toEqual(
        expect.arrayContaining([
          `External load balancer > ${to}: 10300/tcp`,
          `External load balancer > ${to}: 31080/tcp`,
          `External load balancer > ${to}: its health check node port`,
        ]),
      );
    expect(found).toContain('Load balancers > Control plane: 2379/tcp');
  });

  test('is NFS also from control planes whose Kubernetes somebody else installs', () => {
    const given = exampleClusters.find(({ name }) => name === 'storage');
    if (given === undefined) throw new Error('no example is storage');
    const cluster = { ...given, kubernetes: { ...given.kubernetes, installer: 'none' as const } };
    expect(
      rulesOf(cluster, clusterTopology(cluster)).map(({ to, from, port }) => `${from} > ${to}: ${port}`),
    ).toContain('Control plane > Storage: 2049/tcp');
  });

  test.each(exampleClusters.filter(({ osa, fleet }) => osa === undefined && fleet === undefined))(
    'names boxes of $name, each rule once, and no address that moves',
    (cluster) => {
      const topology = clusterTopology(cluster);
      const all = rulesOf(cluster, topology);
      expect(new Set(all.map((rule) => JSON.stringify(rule))).size).toBe(all.length);
      const holds = cluster.endpoint.placement !== 'external';
      if (holds) expect(all.filter(({ to }) => to.startsWith('API endpoint'))).toEqual([]);
    },
  );
});
