import { building, hasNodes, named, oneNode, type Operation } from './operation.ts';

/** Makes a sick node anew on the machine that it has; a node that is well is only looked at. */
export const healNode: Operation = {
  name: 'heal-node',
  what: 'Make the target anew where it is sick: out of the cluster, cleaned, and in again',
  applies: hasNodes,
  parts: (phases) => [...named(phases, ['membership', 'drain-backends', 'departure']), ...building(phases)],
  targets: oneNode,
  danger: 'none',
};
