import type { Cluster } from '../cluster.ts';
import { rendered, type Phase } from './phase.ts';

/** Finds what would make a later playbook fail, on every host, before anything is changed. */
export const preflight: Phase = {
  name: 'preflight',
  what: 'Examine system, clock, memory, disk, addresses and ports of every host, and change nothing',
  hosts: 'all',
  tags: [{ name: 'preflight', what: 'all checks' }],
  applies: () => true,
  render: (cluster, fill) => {
    const playbook = rendered('preflight.yml', fill('preflight/preflight.yml.hbs', view(cluster)));
    const script = rendered('files/preflight/who-answers.sh', fill('preflight/who-answers.sh.hbs', {}));
    return isBalanced(cluster) ? [playbook, { ...script, mode: '0755' }] : [playbook];
  },
};

const isBalanced = ({ endpoint }: Cluster): boolean => endpoint.balancers.length > 0;

function view(cluster: Cluster): Readonly<Record<string, unknown>> {
  const { address, port, haproxy } = cluster.endpoint;
  const ports = [port, haproxy.stats.port].filter((each) => each > 0);
  return {
    balanced: isBalanced(cluster),
    address,
    // As `ss` prints a local address: everything up to the port, then spaces.
    ports: `:(${ports.join('|')}) `,
  };
}
