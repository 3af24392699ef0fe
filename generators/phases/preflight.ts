import type { Cluster } from '../cluster.ts';
import { rendered, type Phase } from './phase.ts';

/** Finds what would make a later playbook fail, on every host, before anything is changed. */
export const preflight: Phase = {
  name: 'preflight',
  what: 'Examine system, clock, memory, disk, addresses and ports of every host, and change nothing',
  hosts: 'all',
  tags: [{ name: 'preflight', what: 'all checks' }],
  applies: () => true,
  render: (cluster, fill) => [rendered('preflight.yml', fill('preflight/preflight.yml.hbs', view(cluster)))],
};

function view({ endpoint }: Cluster): Readonly<Record<string, unknown>> {
  const { address, port, balancers, haproxy } = endpoint;
  const ports = [port, haproxy.stats.port].filter((each) => each > 0);
  return {
    balanced: balancers.length > 0,
    address,
    // As `ss` prints a local address: everything up to the port, then spaces.
    ports: `:(${ports.join('|')}) `,
    // Any datagram makes the kernel ask who owns the address.
    knock: `exec 3> /dev/udp/${address}/9 && printf x >&3`,
  };
}
