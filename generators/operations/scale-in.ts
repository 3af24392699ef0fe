import { hasNodes, leaving, named, someNodes, type Operation } from './operation.ts';

/** Takes nodes out of the cluster that stays. Runs from the definition that still has them: it was reviewed with them. */
export const scaleIn: Operation = {
  name: 'scale-in',
  what: 'Move the work of the targets elsewhere, take them out of the cluster and everything of it off them',
  applies: hasNodes,
  // Static routes last, when the cluster knows which nodes are left.
  parts: (phases) => named(phases, [...leaving, 'names', 'network']),
  targets: someNodes(true),
  danger: 'remove',
};
