import { artifacts } from './node/artifacts.ts';
import { certificates } from './control-plane/certificates.ts';
import { cloudController } from './control-plane/cloud-controller.ts';
import { cnfHeal } from './cnf/cnf-heal.ts';
import { cnfInstantiate } from './cnf/cnf-instantiate.ts';
import { cnfKubeconfig } from './cnf/cnf-kubeconfig.ts';
import { cnfScale } from './cnf/cnf-scale.ts';
import { cnfStatus } from './cnf/cnf-status.ts';
import { cnfTerminate } from './cnf/cnf-terminate.ts';
import { cnfUpdate } from './cnf/cnf-update.ts';
import { containerd } from './node/containerd.ts';
import { controlPlane } from './control-plane/control-plane.ts';
import { removeNode } from './node/remove-node.ts';
import { drainBackends } from './load-balancer/drain-backends.ts';
import { drillCertificates } from './drill/drill-certificates.ts';
import { drillControlPlane } from './drill/drill-control-plane.ts';
import { drillEtcdRestore } from './drill/drill-etcd-restore.ts';
import { drillStorage } from './drill/drill-storage.ts';
import { drillVip } from './drill/drill-vip.ts';
import { drillWorker } from './drill/drill-worker.ts';
import { conformance } from './control-plane/conformance.ts';
import { encryptionKey, encryptionOff } from './control-plane/encryption-key.ts';
import { etcdBackup } from './control-plane/etcd-backup.ts';
import { etcdDefragment } from './control-plane/etcd-defragment.ts';
import { etcdRestore } from './control-plane/etcd-restore.ts';
import { externalKeepalived } from './load-balancer/external-keepalived.ts';
import { externalLoadBalancer } from './load-balancer/external-load-balancer.ts';
import { cleanup } from './node/cleanup.ts';
import { forgetVolumes } from './storage/forget-volumes.ts';
import { haproxy } from './load-balancer/haproxy.ts';
import { nodePrerequisites } from './node/node-prerequisites.ts';
import { keepalived } from './load-balancer/keepalived.ts';
import { kubeletCertificates } from './control-plane/kubelet-certificates.ts';
import { kubeconfig } from './control-plane/kubeconfig.ts';
import { kubernetesSettings } from './control-plane/kubernetes-settings.ts';
import { kubernetesPackages } from './node/kubernetes-packages.ts';
import { kubesprayCluster } from './kubespray/kubespray-cluster.ts';
import { kubesprayNodePreflight } from './kubespray/kubespray-node-preflight.ts';
import { kubesprayRecover } from './kubespray/kubespray-recover.ts';
import { kubesprayRemove } from './kubespray/kubespray-remove.ts';
import { kubesprayReset } from './kubespray/kubespray-reset.ts';
import { kubesprayScale } from './kubespray/kubespray-scale.ts';
import { kubesprayUpgrade } from './kubespray/kubespray-upgrade.ts';
import { nodePreflight } from './node/node-preflight.ts';
import { etcHosts } from './node/etc-hosts.ts';
import { network } from './network/network.ts';
import { nfsClient } from './storage/nfs-client.ts';
import { nfsServer } from './storage/nfs-server.ts';
import { persistentVolumes } from './storage/persistent-volumes.ts';
import { owner } from './node/owner.ts';
import { patch } from './node/patch.ts';
import type { Phase } from './phase.ts';
import { preflight } from './node/preflight.ts';
import { proxyCredentials } from './node/proxy-credentials.ts';
import { reset } from './node/reset.ts';
import { schedule } from './schedule/schedule.ts';
import { storageUse } from './storage/storage-use.ts';
import { tackerVim } from './control-plane/tacker-vim.ts';
import { upgrade } from './control-plane/upgrade.ts';
import { verify } from './control-plane/verify.ts';
import { workers } from './node/workers.ts';

/** Every phase, in the order in which they are run; those that are only asked for, and parts of other operations, come last. */
export const phases: readonly Phase[] = [
  preflight,
  proxyCredentials,
  artifacts,
  nodePrerequisites,
  etcHosts,
  haproxy,
  keepalived,
  containerd,
  kubernetesPackages,
  nfsServer,
  nfsClient,
  controlPlane,
  kubernetesSettings,
  workers,
  kubeletCertificates,
  cloudController,
  network,
  kubesprayCluster,
  persistentVolumes,
  externalLoadBalancer,
  externalKeepalived,
  verify,
  conformance,
  owner,
  kubeconfig,
  tackerVim,
  schedule,
  certificates,
  encryptionKey,
  encryptionOff,
  storageUse,
  etcdBackup,
  etcdRestore,
  etcdDefragment,
  drillVip,
  drillControlPlane,
  drillWorker,
  drillStorage,
  drillEtcdRestore,
  drillCertificates,
  upgrade,
  patch,
  cnfInstantiate,
  cnfScale,
  cnfHeal,
  cnfUpdate,
  cnfTerminate,
  cnfStatus,
  cnfKubeconfig,
  reset,
  kubesprayReset,
  kubesprayNodePreflight,
  kubesprayRemove,
  kubesprayRecover,
  kubesprayScale,
  kubesprayUpgrade,
  nodePreflight,
  drainBackends,
  removeNode,
  forgetVolumes,
  cleanup,
];
