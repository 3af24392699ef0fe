import { keptView } from './etcd-backup.ts';
import { preflightExceptions } from '../kubeadm/exceptions.ts';
import { kubernetesBinariesView } from './kubernetes-binaries.ts';
import { rendered, type Parameter, type Phase } from './phase.ts';
import { isProxied } from './proxy-environment.ts';
import { healthScript, scripts } from './scripts.ts';

/** Brings a running cluster to the version of the definition, one node at a time. */
export const upgrade: Phase = {
  name: 'upgrade',
  what: 'Bring Kubernetes of a running cluster to the version of the definition, one node at a time',
  hosts: 'k8s_cluster',
  tags: [
    { name: 'upgrade', what: 'everything' },
    { name: 'verify', what: 'nothing is behind, and nothing speaks against it' },
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
  ],
  render: (cluster, fill) => [
    rendered(
      'upgrade.yml',
      fill('upgrade/upgrade.yml.hbs', {
        ...kubernetesBinariesView(cluster),
        proxied: isProxied(cluster),
        kept: keptView(cluster).kept,
        exceptions: preflightExceptions(cluster).join(','),
        workersAtOnce: cluster.kubernetes.upgrade.workersAtOnce,
      }),
    ),
    healthScript('upgrade', fill),
    ...scripts('upgrade', ['age', 'apply', 'back', 'drain', 'state'], { fill }),
  ],
};

function number(variable: string, { what, example }: Pick<Parameter, 'what' | 'example'>): Parameter {
  return { variable, what, required: false, pattern: '[0-9]{1,5}', example };
}
