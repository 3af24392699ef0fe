import { anew, hasNodes, oneNode, type Operation } from './operation.ts';

/** Puts another machine, at the same address or a new one, in the place of a node. */
export const replaceNode: Operation = {
  name: 'replace-node',
  what: 'Put the machine that the definition names now in the place of the one that the cluster knows as the target',
  applies: hasNodes,
  parts: anew,
  targets: oneNode,
  danger: 'quorum',
};
