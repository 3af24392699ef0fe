import { kubesprayPhase } from './phase.ts';

/** Brings a running cluster to the version of the definition. */
export const kubesprayUpgrade = kubesprayPhase(
  {
    name: 'kubespray-upgrade',
    what: 'Bring Kubernetes to the version of the definition by upgrade-cluster.yml of kubespray',
    run: 'part',
  },
  ({ kubernetes }) => ({
    workersAtOnce: kubernetes.upgrade.workersAtOnce,
  }),
);
