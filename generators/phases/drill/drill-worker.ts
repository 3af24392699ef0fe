import { isOnlyWorker } from '../../cluster/roles.ts';
import { drillPhase, nodeParameter } from './drill.ts';

/** A worker goes silent, and what ran on it has ended. */
export const drillWorker = drillPhase({
  drill: 'worker',
  what: 'Drill: stop the kubelet of a worker and kill all its containers; measure, and revert',
  hosts: 'kube_node',
  applies: ({ kubernetes, machines }) =>
    kubernetes.installer === 'kubeadm' && machines.filter(isOnlyWorker).length > 1,
  parameters: [nodeParameter('drill_worker_node', 'the worker; the first when not given', 'worker02')],
  services: ['kubelet'],
  // The cluster misses a node after 40 seconds.
  least: 60,
  rounds: [
    {
      fault: 'worker',
      what: 'Kubelet and all containers of a worker stopped',
      seeing: '',
      requiring: '',
      title: 'Stop a worker',
    },
  ],
});
