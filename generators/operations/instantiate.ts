import { building, everything, hasNodes, type Operation } from './operation.ts';

/** Builds the cluster from bare hosts; on a cluster that stands, brings it to its wanted state. */
export const instantiate: Operation = {
  name: 'instantiate',
  what: 'The whole cluster, from bare hosts: everything below, in this order',
  applies: hasNodes,
  parts: building,
  targets: everything,
  danger: 'none',
};
