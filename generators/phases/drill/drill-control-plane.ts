import { drillPhase, nodeParameter } from './drill.ts';
import { isControlPlane } from '../../cluster/roles.ts';

/** A control plane goes as when its power does, except that its kernel and sshd stay. */
export const drillControlPlane = drillPhase({
  drill: 'control-plane',
  what: 'Drill: stop the kubelet of a control plane and kill its API server, etcd and controllers; measure, and revert',
  hosts: 'kube_control_plane',
  // Without two that stay, etcd has no majority; without a balancer nobody leads clients to them.
  applies: ({ kubernetes, endpoint, machines }) =>
    kubernetes.installer === 'kubeadm' &&
    endpoint.placement !== 'none' &&
    machines.filter(isControlPlane).length > 2,
  parameters: [
    nodeParameter(
      'drill_control_plane_node',
      'the control plane; the one that leads etcd when not given',
      'master02',
    ),
  ],
  services: ['kubelet'],
  least: 30,
  rounds: [
    {
      fault: 'control_plane',
      what: 'Kubelet, API server, etcd and controllers of a control plane stopped',
      seeing: '',
      requiring: '',
      title: 'Stop a control plane',
    },
  ],
});
