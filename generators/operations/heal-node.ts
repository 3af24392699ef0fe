import { anew, hasNodes, oneNode, type Operation } from './operation.ts';

/** Makes a sick node anew on the machine that it has; a node that is well is only looked at. */
export const healNode: Operation = {
  name: 'heal-node',
  what: 'Make the target anew where it is sick: out of the cluster, cleaned, and in again',
  applies: hasNodes,
  parts: anew,
  targets: oneNode,
  danger: 'none',
};
