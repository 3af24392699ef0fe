/**
 * Fields of KubeletConfiguration that a kubelet takes over only on a node without pods. The managers of CPUs, memory and
 * topology keep what they gave to whom (kubernetes.io/docs/tasks/administer-cluster/cpu-management-policies, "drain the
 * node"), and the cgroups of pods that run lie below the old root.
 */
export const takenOverEmpty: readonly string[] = [
  'cgroupRoot',
  'cgroupsPerQOS',
  'cpuManagerPolicy',
  'cpuManagerPolicyOptions',
  'memoryManagerPolicy',
  'reservedMemory',
  'reservedSystemCPUs',
  'topologyManagerPolicy',
  'topologyManagerPolicyOptions',
  'topologyManagerScope',
];

/** Fields of which a lower number makes a kubelet end pods that it has, as if they had never fitted; with what holds without them. */
export const endsPodsWhenLower: Readonly<Record<string, number>> = { maxPods: 110 };
