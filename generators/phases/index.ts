import { artifacts } from './artifacts.ts';
import { certificates } from './certificates.ts';
import { cnfHeal } from './cnf-heal.ts';
import { cnfInstantiate } from './cnf-instantiate.ts';
import { cnfKubeconfig } from './cnf-kubeconfig.ts';
import { cnfScale } from './cnf-scale.ts';
import { cnfStatus } from './cnf-status.ts';
import { cnfTerminate } from './cnf-terminate.ts';
import { cnfUpdate } from './cnf-update.ts';
import { containerd } from './containerd.ts';
import { controlPlane } from './control-plane.ts';
import { departure } from './departure.ts';
import { drainBackends } from './drain-backends.ts';
import { drillCertificates } from './drill-certificates.ts';
import { drillControlPlane } from './drill-control-plane.ts';
import { drillEtcdRestore } from './drill-etcd-restore.ts';
import { drillStorage } from './drill-storage.ts';
import { drillVip } from './drill-vip.ts';
import { drillWorker } from './drill-worker.ts';
import { conformance } from './conformance.ts';
import { encryptionKey } from './encryption-key.ts';
import { etcdBackup } from './etcd-backup.ts';
import { etcdRestore } from './etcd-restore.ts';
import { externalKeepalived } from './external-keepalived.ts';
import { externalLoadBalancer } from './external-load-balancer.ts';
import { farewell } from './farewell.ts';
import { forgetVolumes } from './forget-volumes.ts';
import { haproxy } from './haproxy.ts';
import { host } from './host.ts';
import { keepalived } from './keepalived.ts';
import { kubeconfig } from './kubeconfig.ts';
import { kubernetesPackages } from './kubernetes-packages.ts';
import { kubesprayCluster } from './kubespray-cluster.ts';
import { kubesprayMembership } from './kubespray-membership.ts';
import { kubesprayRecover } from './kubespray-recover.ts';
import { kubesprayRemove } from './kubespray-remove.ts';
import { kubesprayReset } from './kubespray-reset.ts';
import { kubesprayScale } from './kubespray-scale.ts';
import { kubesprayUpgrade } from './kubespray-upgrade.ts';
import { membership } from './membership.ts';
import { names } from './names.ts';
import { network } from './network.ts';
import { nfsClient } from './nfs-client.ts';
import { nfsServer } from './nfs-server.ts';
import { persistentVolumes } from './persistent-volumes.ts';
import type { Phase } from './phase.ts';
import { preflight } from './preflight.ts';
import { reset } from './reset.ts';
import { storageUse } from './storage-use.ts';
import { tackerVim } from './tacker-vim.ts';
import { upgrade } from './upgrade.ts';
import { verify } from './verify.ts';
import { workers } from './workers.ts';

/** Every phase, in the order in which they are run; those that are only asked for, and parts of other operations, come last. */
export const phases: readonly Phase[] = [
  preflight,
  artifacts,
  host,
  names,
  haproxy,
  keepalived,
  containerd,
  kubernetesPackages,
  nfsServer,
  nfsClient,
  controlPlane,
  workers,
  network,
  kubesprayCluster,
  persistentVolumes,
  externalLoadBalancer,
  externalKeepalived,
  verify,
  conformance,
  kubeconfig,
  tackerVim,
  certificates,
  encryptionKey,
  storageUse,
  etcdBackup,
  etcdRestore,
  drillVip,
  drillControlPlane,
  drillWorker,
  drillStorage,
  drillEtcdRestore,
  drillCertificates,
  upgrade,
  cnfInstantiate,
  cnfScale,
  cnfHeal,
  cnfUpdate,
  cnfTerminate,
  cnfStatus,
  cnfKubeconfig,
  reset,
  kubesprayReset,
  kubesprayMembership,
  kubesprayRemove,
  kubesprayRecover,
  kubesprayScale,
  kubesprayUpgrade,
  membership,
  drainBackends,
  departure,
  forgetVolumes,
  farewell,
];
