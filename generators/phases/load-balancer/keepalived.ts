import type { Cluster } from '../../cluster/cluster.ts';
import { keepalivedFiles, keepalivedTags, type VirtualAddress } from './virtual-address.ts';
import type { Phase } from '../phase.ts';

/** Keepalived moves the endpoint's address to a load balancer that lives. */
export const keepalived: Phase = {
  name: 'keepalived',
  what: 'Keep the virtual address on one healthy load balancer with Keepalived',
  hosts: 'load_balancers',
  tags: keepalivedTags('keepalived', 'the API port'),
  applies: ({ endpoint }) => endpoint.balancers.length > 0,
  run: 'instantiate',
  parameters: [],
  render: (cluster, fill) => keepalivedFiles(cluster, ofEndpoint(cluster), fill),
};

const ofEndpoint = ({ endpoint }: Cluster): VirtualAddress => ({
  ...endpoint,
  name: 'keepalived',
  group: 'load_balancers',
  hosts: 'load_balancers:!unaffected:!skipped',
  instance: 'kubernetes_api',
  who: 'the API',
});
