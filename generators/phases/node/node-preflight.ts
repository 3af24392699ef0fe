import { renderedFile, type Parameter, type Phase } from '../phase.ts';
import { clusterNameOf } from '../kubeadm/documents.ts';
import { serversOf } from '../load-balancer/servers.ts';

/** Asks the cluster what an operation would do to it, before anything is done. */
export const nodePreflight: Phase = {
  name: 'node-preflight',
  what: 'Check the targets against the cluster, and refuse what it would not survive',
  hosts: 'kube_control_plane',
  tags: [{ name: 'node-preflight', what: 'everything' }],
  applies: ({ kubernetes }) => kubernetes.installer === 'kubeadm',
  run: 'part',
  told: () => 'node_preflight_operation',
  parameters: [
    {
      variable: 'node_preflight_confirm',
      what: 'the names of the targets, joined by commas',
      required: true,
      pattern: '[a-z0-9][a-z0-9.,-]*',
      example: 'worker03',
      operations: ['scale-in', 'replace-node'],
    },
    {
      variable: 'node_preflight_despite',
      what: 'take nodes out although pods lose what they keep there (local-data), nobody starts them again (bare-pods), or a disruption budget protects them (budgets)',
      required: false,
      pattern: '(local-data|bare-pods|budgets)(,(local-data|bare-pods|budgets)){0,2}',
      example: 'local-data',
      operations: ['scale-in', 'heal-node', 'replace-node'],
    },
    {
      variable: 'node_preflight_minimum',
      what: 'how many workers that are ready must stay, 1 when not given',
      required: false,
      pattern: '[0-9]{1,4}',
      example: '2',
      operations: ['scale-in'],
    },
    {
      variable: 'node_preflight_recreate',
      what: 'recreate the node although it is healthy',
      required: false,
      pattern: 'true|false',
      example: 'true',
      operations: ['heal-node', 'replace-node'],
    },
  ] satisfies readonly Parameter[],
  render: (cluster, fill) => [
    renderedFile(
      'node-preflight.yml',
      fill('node-preflight/node-preflight.yml.hbs', {
        cluster: clusterNameOf(cluster),
        port: cluster.network.apiServerPort,
        servers: serversOf(cluster),
      }),
    ),
  ],
};
