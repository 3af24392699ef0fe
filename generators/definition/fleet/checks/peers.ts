import { distances } from '../distances.ts';
import { problemAt, type Finding } from '../../../source/finding.ts';
import { nearest } from '../../../source/nearest.ts';
import { hasGap } from '../../gaps.ts';
import type { FleetDraft } from '../schema/schema.ts';

/** Connections lead to nodes, and every node has a way to the control node that leads over no execution node. */
export function fleetPeers(draft: FleetDraft): readonly Finding[] {
  const { nodes = [] } = draft;
  const names = nodes.flatMap((node) => node?.name ?? []);
  // With a gap nobody knows who was meant.
  const isWhole = !hasGap(draft, 'nodes.*.name', 'nodes.*.role');
  const wrong = nodes.flatMap((node, index) =>
    (node?.peers ?? []).flatMap((peer, at) => {
      const path = ['nodes', index, 'peers', at];
      if (peer === undefined || !isWhole) return [];
      if (peer === node?.name) return [problemAt(path, 'a node does not connect to itself', 'another node')];
      if (node?.peers?.indexOf(peer) !== at) return [problemAt(path, `${peer} is listed twice`, 'it once')];
      if (names.includes(peer)) return [];
      return [problemAt(path, `${peer} is no node`, nearest(peer, names) ?? names.join(' or '))];
    }),
  );
  return isWhole && wrong.length === 0 && !hasGap(draft, 'nodes.*.peers.*') ? unreachableNodes(nodes) : wrong;
}

type Nodes = NonNullable<FleetDraft['nodes']>;

function unreachableNodes(nodes: Nodes): Finding[] {
  const control = nodes.find((node) => node?.role === 'control')?.name;
  if (control === undefined) return [];
  const reached = distances(
    nodes.map((node) => ({
      ...{ name: node?.name ?? '', role: node?.role ?? '' },
      peers: (node?.peers ?? []).flatMap((peer) => peer ?? []),
    })),
  );
  return nodes.flatMap((node, index) =>
    node?.name === undefined || reached.has(node.name)
      ? []
      : [
          problemAt(
            ['nodes', index],
            `${node.name} has no connection to ${control}, straight or over hops`,
            `peers: [${control}], or that of a hop which has one`,
          ),
        ],
  );
}
