import type { Settings } from '../../cluster/cluster.ts';

/** What others need comes first, what needs others last; kinds that are not named stand between. As helm has it. */
const early = [
  'ServiceAccount',
  'Secret',
  'ConfigMap',
  'PersistentVolumeClaim',
  'Role',
  'RoleBinding',
  'NetworkPolicy',
  'PodDisruptionBudget',
  'Service',
];
const late = [
  'DaemonSet',
  'Pod',
  'ReplicationController',
  'ReplicaSet',
  'Deployment',
  'HorizontalPodAutoscaler',
  'StatefulSet',
  'Job',
  'CronJob',
  'Ingress',
];

/** Objects in the order in which they are applied; among those of a kind the order of the manifests stays. */
export const inOrder = (objects: readonly Settings[]): readonly Settings[] =>
  objects.toSorted((a, b) => rank(a) - rank(b));

function rank({ kind }: Settings): number {
  const word = typeof kind === 'string' ? kind : '';
  const first = early.indexOf(word);
  if (first >= 0) return first;
  const last = late.indexOf(word);
  return last >= 0 ? 1000 + last : 500;
}
