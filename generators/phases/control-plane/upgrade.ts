import type { Cluster } from '../../cluster/cluster.ts';
import { isControlPlane } from '../../cluster/roles.ts';
import { ownKubelets, patchFolder } from '../kubeadm/own-kubelet.ts';
import { preflightExceptions } from '../kubeadm/exceptions.ts';
import { kubernetesBinariesView } from '../node/kubernetes-binaries.ts';
import { renderedFile, type Parameter, type Phase } from '../phase.ts';
import { isProxied } from '../proxy-environment.ts';

/** Brings a running cluster to the version of the definition, one node at a time. */
export const upgrade: Phase = {
  name: 'upgrade',
  what: 'Upgrade Kubernetes of a running cluster to the version of the definition, one node at a time',
  hosts: 'k8s_cluster',
  tags: [
    { name: 'upgrade', what: 'everything' },
    { name: 'verify', what: 'no node is behind, and no check finds a problem' },
  ],
  applies: ({ kubernetes }) => kubernetes.installer === 'kubeadm',
  run: 'asked',
  parameters: [
    number('upgrade_snapshot_hours', {
      what: 'how old the latest kept snapshot of etcd may be, 24 when not given; 0 does not ask for any',
      example: '1',
    }),
    number('upgrade_drain_seconds', {
      what: 'how long the pods of one node may take to leave it, 300 when not given',
      example: '900',
    }),
    {
      variable: 'upgrade_etcd_from',
      what: 'the oldest etcd that an upgrade to another minor version of etcd goes on from, instead of what its guide asks',
      required: false,
      pattern: '[0-9]{1,2}[.][0-9]{1,3}[.][0-9]{1,3}',
      example: '3.5.24',
    },
    {
      variable: 'upgrade_forgone_apis',
      what: 'APIs that the version serves no more and that may be lost, with commas between them',
      required: false,
      pattern: '[a-z0-9./,-]{1,1000}',
      example: 'storage.k8s.io/v1beta1',
    },
  ],
  borrows: ['preflight'],
  render: (cluster, fill) => [
    renderedFile(
      'upgrade.yml',
      fill('upgrade/upgrade.yml.hbs', {
        ...kubernetesBinariesView(cluster),
        proxied: isProxied(cluster),
        options: optionsOf(cluster),
        port: cluster.network.apiServerPort,
        atOnce: atOnce(cluster),
      }),
    ),
  ],
};

/** What kubeadm is told besides, as an expression: some workers have patches. Empty: nothing. */
function optionsOf(cluster: Cluster): string {
  const exceptions = preflightExceptions(cluster);
  const own = ownKubelets(cluster);
  const parts = [
    ...(exceptions.length > 0 ? [`['--ignore-preflight-errors=${exceptions.join(',')}']`] : []),
    ...(own.length > 0
      ? [`(['--patches=${patchFolder}'] if inventory_hostname in '${own.join(' ')}'.split() else [])`]
      : []),
  ];
  return parts.join(' + ');
}

/** How many nodes are upgraded at once: each control plane alone, then so many workers, batch after batch. */
function atOnce({
  machines,
  kubernetes: {
    upgrade: { workersAtOnce },
  },
}: Cluster): string {
  const alone = machines.filter(isControlPlane).map(() => 1);
  return workersAtOnce === 1 ? '1' : `[${[...alone, workersAtOnce].join(', ')}]`;
}

function number(variable: string, { what, example }: Pick<Parameter, 'what' | 'example'>): Parameter {
  return { variable, what, required: false, pattern: '[0-9]{1,5}', example };
}
