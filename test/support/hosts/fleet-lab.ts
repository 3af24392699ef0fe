import { controlHost, hopHost, raiseMesh, type ExecutionNode, type MeshLab } from './mesh-lab.ts';

/** What a node of the mesh is called, and the host of the lab that it is. */
export const nodes = {
  control: controlHost,
  hop: hopHost,
  exec1: 'mesh2',
  exec2: 'mesh3',
  exec3: 'mesh4',
} as const;

export type Node = keyof typeof nodes;

/** Clusters of one host each, with the execution node that runs them. */
export const clusters = {
  'edge-a': { node: 'exec1', host: 'cp1' },
  'edge-b': { node: 'exec1', host: 'cp2' },
  'edge-c': { node: 'exec2', host: 'cp3' },
  'edge-d': { node: 'exec2', host: 'cp4' },
  'edge-e': { node: 'exec3', host: 'cp5' },
  'edge-f': { node: 'exec3', host: 'cp6' },
} as const;

export type ClusterName = keyof typeof clusters;

export const clusterNames = Object.keys(clusters) as readonly ClusterName[];

const siteOf = (node: string): string => (node === 'exec3' ? 'oslo' : 'paris');

const execution: readonly ExecutionNode[] = (['exec1', 'exec2', 'exec3'] as const).map((name) => ({
  ...{ name, host: nodes[name], site: siteOf(name) },
}));

/** A lab for a control node, a hop and three execution nodes, six machines for clusters, and the definitions of all. */
export const raiseFleet = (name: string): Promise<MeshLab> =>
  raiseMesh(
    name,
    { controlPlanes: clusterNames.length, mesh: 4 },
    {
      execution,
      clusters: clusterNames.map((cluster, index) => {
        const { node, host } = clusters[cluster];
        const labels = { tier: cluster === 'edge-a' ? 'canary' : 'rest' };
        return { name: cluster, site: siteOf(node), node, hosts: [host], vip: 101 + index, labels };
      }),
    },
  );
