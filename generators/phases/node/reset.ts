import type { Cluster } from '../../cluster/cluster.ts';
import { renderedFile, type Phase } from '../phase.ts';
import { serversOf } from '../load-balancer/servers.ts';

/** Takes nodes out of the cluster, or the cluster away; what its workloads kept on volumes stays. */
export const reset: Phase = {
  name: 'reset',
  what: 'Remove Kubernetes from every node, or with a limit remove those nodes from the cluster; volumes stay',
  hosts: 'all',
  tags: [{ name: 'reset', what: 'everything' }],
  applies: ({ kubernetes }) => kubernetes.installer === 'kubeadm',
  run: 'asked',
  parameters: [
    {
      variable: 'reset_confirm',
      what: 'the name of the cluster, since what etcd holds is lost with the last control plane',
      required: true,
      pattern: '[a-z0-9]([a-z0-9-]*[a-z0-9])?',
      example: 'edge-a',
    },
  ],
  render: (cluster, fill) => [renderedFile('reset.yml', fill('reset/reset.yml.hbs', view(cluster)))],
};

const isBalanced = ({ endpoint }: Cluster): boolean => endpoint.balancers.length > 0;

const view = (cluster: Cluster): Readonly<Record<string, unknown>> => ({
  cluster: cluster.name,
  servers: serversOf(cluster),
  balanced: isBalanced(cluster),
});
