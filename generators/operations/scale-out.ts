import { buildingNodes, hasNodes, named, someNodes, type Operation } from './operation.ts';

/** Takes new nodes into the cluster. One that fails is left out, the others are finished. */
export const scaleOut: Operation = {
  name: 'scale-out',
  what: 'Take the targets into the cluster as new nodes, and tell of them whoever must know',
  applies: hasNodes,
  parts: (phases) => [...named(phases, ['membership']), ...buildingNodes(phases)],
  targets: someNodes(false),
  danger: 'none',
};
