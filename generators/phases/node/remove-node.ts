import type { Cluster } from '../../cluster/cluster.ts';
import { renderedFile, type Phase } from '../phase.ts';

/** Takes the targets that `node-preflight` found out of the cluster; what their pods keep on volumes stays. */
export const removeNode: Phase = {
  name: 'remove-node',
  what: 'Drain the targets, remove them from etcd and the cluster, and clean them up',
  hosts: 'k8s_cluster',
  tags: [{ name: 'remove-node', what: 'everything' }],
  applies: ({ kubernetes }) => kubernetes.installer === 'kubeadm',
  run: 'part',
  parameters: [
    {
      variable: 'remove_node_seconds',
      what: 'how long the pods of one node may take to leave it, 300 when not given',
      required: false,
      pattern: '[0-9]{1,5}',
      example: '900',
    },
  ],
  render: (cluster, fill) => [
    renderedFile(
      'remove-node.yml',
      fill('remove-node/remove-node.yml.hbs', { balanced: isBalanced(cluster), cluster: cluster.name }),
    ),
  ],
};

const isBalanced = ({ endpoint }: Cluster): boolean => endpoint.balancers.length > 0;
