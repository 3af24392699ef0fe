import type { Cluster } from '../../cluster/cluster.ts';
import { renderedFile, type Phase } from '../phase.ts';

/** Before a node goes, the external load balancer sends nobody there any more. */
export const drainBackends: Phase = {
  name: 'drain-backends',
  what: 'Let the external load balancer send no more connections to the targets, and wait for those that are there',
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
