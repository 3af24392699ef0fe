import type { Fleet, FleetNode, FleetRole } from '../cluster/cluster.ts';
import type { Box, BoxHost, BoxId, Flow } from './picture.ts';

/** Nodes of a mesh by what they do, then the clusters that are run over it. */
export function meshBoxes({ nodes, clusters }: Fleet): readonly Box[] {
  const boxes = roles.map(({ role, ...box }) => ({
    ...{ ...box, detail: '' },
    hosts: nodes.filter((node) => node.role === role).map(hostOf),
  }));
  const run = clusters.map(({ name, site, node }) => ({
    ...{ name, address: `${node}, ${site}`, turn: 0, marks: [] },
  }));
  return [...boxes, { id: 'cluster', title: 'Clusters', detail: '', column: 4, hosts: run } as const].filter(
    ({ hosts }) => hosts.length > 0,
  );
}

const hostOf = ({ name, address, site }: FleetNode): BoxHost => ({
  ...{ name, address, turn: 0, marks: site === '' ? [] : [site] },
});

const roles = [
  { role: 'control', id: 'mesh-control', title: 'Control node', column: 1 },
  { role: 'hop', id: 'mesh-hop', title: 'Hops', column: 2 },
  { role: 'execution', id: 'mesh-execution', title: 'Execution nodes', column: 3 },
] as const satisfies readonly { role: FleetRole; id: BoxId; title: string; column: number }[];

/** Who opens connections of Receptor to whom, once for each port of a pair of boxes; and who reaches the clusters. */
export function meshFlows({ nodes }: Fleet): readonly Flow[] {
  const all = nodes.flatMap((from) =>
    from.peers.flatMap(({ name, target }) => {
      const to = nodes.find((node) => node.name === name);
      return to === undefined ? [] : [receptor(from, to, target.slice(target.lastIndexOf(':') + 1))];
    }),
  );
  const known = new Set<string>();
  const once = all.filter(({ from, to, port }) => {
    const key = `${from} ${to} ${port}`;
    return known.has(key) ? false : known.add(key);
  });
  return [
    ...once,
    { from: 'mesh-execution', to: 'cluster', port: 'SSH', what: 'Ansible to the machines of a cluster' },
  ];
}

const receptor = (from: FleetNode, to: FleetNode, port: string): Flow => ({
  ...{ from: boxOf(from), to: boxOf(to), port: `${port}/tcp`, what: 'Receptor, mutual TLS' },
});

const boxOf = ({ role }: FleetNode): BoxId => `mesh-${role}`;
