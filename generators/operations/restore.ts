import { everything, isOurs, named, type Operation } from './operation.ts';

/** Goes back to a kept snapshot of etcd. */
export const restore: Operation = {
  name: 'restore',
  what: 'Go back to a kept snapshot of etcd, and check the cluster; what happened since the snapshot is lost',
  applies: isOurs,
  parts: (phases) => named(phases, ['etcd-restore', 'verify']),
  targets: everything,
  danger: 'reset',
};
