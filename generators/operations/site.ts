import { building, everything, hasNodes, type Operation } from './operation.ts';

/** Brings what stands around Kubernetes to its wanted state, where somebody else installs Kubernetes. */
export const site: Operation = {
  name: 'site',
  what: 'Everything below, in this order',
  applies: (cluster) => !hasNodes(cluster),
  parts: building,
  targets: everything,
  danger: 'none',
};
