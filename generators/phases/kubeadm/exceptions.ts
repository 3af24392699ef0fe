import type { Cluster } from '../../cluster/cluster.ts';
import { minorOf } from './api.ts';

/**
 * What kubeadm's own preflight must not refuse, in every call of kubeadm: a kubelet that is told to run on cgroup v1
 * (which it refuses by itself from 1.35 on) is of no use while kubeadm refuses the same host.
 */
export const preflightExceptions = ({ kubernetes }: Cluster): readonly string[] =>
  minorOf(kubernetes.version) >= 35 && kubernetes.kubelet['failCgroupV1'] === false
    ? ['SystemVerification']
    : [];
