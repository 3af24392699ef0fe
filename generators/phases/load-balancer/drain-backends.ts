import type { Cluster } from '../../cluster/cluster.ts';
import { renderedFile, type Phase } from '../phase.ts';

/** Before a node goes, the external load balancer sends nobody there any more. */
export const drainBackends: Phase = {
  name: 'drain-backends',
  what: 'Drain the targets on the external load balancer, and wait until their connections have ended',
  hosts: 'external_load_balancers',
  tags: [{ name: 'drain-backends', what: 'everything' }],
  applies: ({ externalLoadBalancer: { balancers, script } }) => balancers.length > 0 && script.text === '',
  run: 'part',
  parameters: [],
  render: (cluster, fill) => [
    renderedFile(
      'drain-backends.yml',
      fill('external-load-balancer/drain-backends.yml.hbs', { drain: secondsOf(cluster) }),
    ),
  ],
};

const secondsOf = ({ externalLoadBalancer }: Cluster): string => String(externalLoadBalancer.drainSeconds);
