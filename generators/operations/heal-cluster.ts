import { building, everything, hasNodes, named, type Operation } from './operation.ts';

/** The whole cluster anew on the same machines; what etcd holds is lost, what lies on volumes stays. */
export const healCluster: Operation = {
  name: 'heal-cluster',
  what: 'Take the cluster away and build it anew; what etcd holds is lost, volumes stay',
  applies: hasNodes,
  parts: (phases) => [...named(phases, ['reset', 'kubespray-reset']), ...building(phases)],
  targets: everything,
  danger: 'reset',
};
