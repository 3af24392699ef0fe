import { everything, hasNodes, named, type Operation } from './operation.ts';

/** The cluster is gone from all its hosts and from the Ansible server; records, snapshots of etcd and volumes stay. */
export const terminate: Operation = {
  name: 'terminate',
  what: 'Take everything of this cluster off its hosts and the Ansible server; records, snapshots and volumes stay',
  applies: hasNodes,
  parts: (phases) => named(phases, ['reset', 'kubespray-reset', 'farewell']),
  targets: everything,
  danger: 'reset',
};
