import type { Cluster } from '../../cluster/cluster.ts';
import { isKubespray } from '../kubespray/phase.ts';
import { renderedFile, type Phase } from '../phase.ts';

/** Takes away what is left when Kubernetes is gone: our settings on hosts, and what the Ansible server keeps. */
export const cleanup: Phase = {
  name: 'cleanup',
  what: 'Remove the configuration of Playsmith from every host, and the kubeconfig and the state of the cluster from the Ansible server',
  hosts: 'all',
  tags: [{ name: 'cleanup', what: 'everything' }],
  applies: ({ kubernetes }) => kubernetes.installer !== 'none',
  run: 'part',
  parameters: [
    {
      variable: 'cleanup_confirm',
      what: 'the name of the cluster, since its load balancers and settings are gone then',
      required: true,
      pattern: '[a-z0-9]([a-z0-9-]*[a-z0-9])?',
      example: 'edge-a',
      operations: ['cleanup'],
    },
  ],
  render: (cluster, fill) => [
    renderedFile(
      'cleanup.yml',
      fill('cleanup/cleanup.yml.hbs', {
        kept: keptFiles(cluster),
        cluster: cluster.name,
        confirm: isKubespray(cluster) ? 'kubespray_reset_confirm' : 'reset_confirm',
      }),
    ),
  ],
};

/** Snapshots of etcd stay: they are what a cluster is brought back from. */
const keptFiles = (cluster: Cluster): readonly string[] => [
  ...['kubeconfig', 'tenant-kubeconfig', 'tacker-vim.yaml', 'applied.json'],
  ...(isKubespray(cluster) ? ['kubespray'] : []),
];
