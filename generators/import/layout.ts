/** What each of some machines does, where nothing else says it. */
export type RoleLayout = (index: number, count: number) => readonly string[];

/**
 * As the inventory builder did that kubespray had until v2.26: the first three have etcd (the first one of fewer than
 * three), the first two are control planes, all are workers; from 50 on the fourth and fifth are the control planes and
 * members of etcd run no workloads, from 200 on control planes do not either.
 */
export const asTheBuilder: RoleLayout = (index, count) => {
  const etcd = index < (count < 3 ? 1 : 3);
  const controlPlane = count < 50 ? index < 2 : index === 3 || index === 4;
  const worker = count < 50 || (!etcd && !(count >= 200 && controlPlane));
  return [
    ...(controlPlane ? ['control-plane'] : []),
    ...(etcd ? ['etcd'] : []),
    ...(worker ? ['worker'] : []),
  ];
};

/** As kubeadm needs it: the first three are control planes with etcd, or the first one of fewer than three. */
export const asKubeadm: RoleLayout = (index, count) => {
  const leads = index < (count < 3 ? 1 : 3);
  return [...(leads ? ['control-plane'] : []), ...(leads && count > 3 ? [] : ['worker'])];
};
