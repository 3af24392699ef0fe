import type { Cluster } from '../../cluster/cluster.ts';
import { keepalivedFiles, keepalivedTags, type VirtualAddress } from './virtual-address.ts';
import type { Phase } from '../phase.ts';

/** Keepalived moves the address of the external load balancer to a host of it that lives. */
export const externalKeepalived: Phase = {
  name: 'external-keepalived',
  what: 'Keep the virtual address of the external load balancer on one healthy host of it with Keepalived',
  hosts: 'external_load_balancers',
  tags: keepalivedTags('external-keepalived', 'a balanced port'),
  applies: ({ externalLoadBalancer: { balancers, address } }) => balancers.length > 0 && address !== '',
  run: 'instantiate',
  parameters: [],
  render: (cluster, fill) => keepalivedFiles(cluster, ofExternal(cluster), fill),
};

const ofExternal = ({ externalLoadBalancer }: Cluster): VirtualAddress => ({
  ...externalLoadBalancer,
  name: 'external-keepalived',
  group: 'external_load_balancers',
  hosts: 'external_load_balancers',
  instance: 'external_load_balancer',
  port: firstPort(externalLoadBalancer),
  who: 'a service',
});

/** A port at which HAProxy always listens; one of a service that is looked up may not be there yet. */
const firstPort = ({ apiPort, services }: Cluster['externalLoadBalancer']): number =>
  [apiPort, ...services.filter(({ lookUp }) => !lookUp).map(({ port }) => port)].find((port) => port > 0) ??
  0;
