import { describe, expect, test } from 'vitest';
import type { Topology } from '../../../generators/topology/picture.ts';
import { kindOf } from '../../../generators/kinds/kinds.ts';
import { clusterTopology } from '../../../generators/topology/topology.ts';
import { load } from '../../../generators/load.ts';
import { exampleClusters } from '../../support/definitions/examples.ts';
import { clusterOf } from '../../support/definitions/reports.ts';

const drawn = (text: string): Topology => {
  const loaded = load(text, 'cluster.yml');
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.failure));
  return clusterTopology(loaded.value.cluster);
};

describe('the picture of a cluster', () => {
  test('every machine is in exactly one box, and the first balancer holds the address', () => {
    const { boxes } = drawn(clusterOf(6));
    expect(boxes.map(({ id, hosts }) => [id, hosts.length])).toEqual([
      ['clients', 0],
      ['ansible-server', 0],
      ['endpoint', 0],
      ['control-plane', 3],
      ['worker', 3],
    ]);
    expect(boxes.find(({ id }) => id === 'control-plane')?.hosts).toMatchObject([
      { name: 'master1', turn: 1, marks: ['etcd'] },
      { name: 'master2', turn: 2 },
      { name: 'master3', turn: 3 },
    ]);
  });

  test('flows name the ports of the definition', () => {
    const { flows } = drawn(clusterOf(6).replace('port: 8443', 'port: 9443'));
    expect(flows).toContainEqual({
      from: 'clients',
      to: 'endpoint',
      port: '9443/tcp',
      what: 'Kubernetes API',
    });
    expect(flows.filter(({ port }) => port === 'vrrp')).toHaveLength(1);
    expect(flows.some(({ port }) => port.startsWith('2049'))).toBe(false);
  });

  test.each(exampleClusters)(
    '$name: all machines are drawn once, all flows lead from box to box',
    (cluster) => {
      const { boxes, flows } = clusterTopology(cluster);
      const names = boxes
        .filter(({ id }) => id !== 'cluster')
        .flatMap(({ hosts }) => hosts.map(({ name }) => name));
      expect(names.toSorted()).toEqual(cluster.machines.map(({ name }) => name).toSorted());
      const ids = boxes.map(({ id }) => id);
      for (const { from, to } of flows) expect([ids.includes(from), ids.includes(to)]).toEqual([true, true]);
    },
  );

  test('a fleet is its mesh, with who opens connections to whom, and its clusters', () => {
    const fleet = exampleClusters.find(({ name }) => name === 'fleet');
    if (fleet === undefined) throw new Error('no example is a fleet');
    const { boxes, flows } = kindOf(fleet).topology?.(fleet) ?? { boxes: [], flows: [] };
    expect(boxes.map(({ id }) => id)).toEqual([
      ...['ansible-server', 'mesh-control', 'mesh-hop', 'mesh-execution', 'cluster'],
    ]);
    expect(boxes.at(-1)?.hosts).toHaveLength(fleet.fleet?.clusters.length ?? 0);
    expect(flows.filter(({ from }) => from === 'mesh-hop')).toEqual([
      { from: 'mesh-hop', to: 'mesh-control', port: '27199/tcp', what: 'Receptor, mutual TLS' },
    ]);
    expect(flows.some(({ from, to }) => from === 'ansible-server' && to === 'cluster')).toBe(false);
  });
});
