import { isKubespray } from '../phases/kubespray/phase.ts';
import { everything, named, type Operation } from './operation.ts';

/** Brings a cluster of kubespray to another version; with kubeadm one phase of the same name does it all. */
export const upgrade: Operation = {
  name: 'upgrade',
  what: 'Bring Kubernetes to the version of the definition, and check the cluster',
  applies: isKubespray,
  parts: (phases) => named(phases, ['kubespray-upgrade', 'verify']),
  targets: everything,
  danger: 'none',
};
