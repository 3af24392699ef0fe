import { bringsAll, effect, removesAll, revertsEtcd } from './effect.ts';
import {
  building,
  buildingNodes,
  everything,
  hasNodes,
  isOurs,
  leaving,
  phasesNamed,
  oneNode,
  recreating,
  someNodes,
  type Operation,
} from './operation.ts';

/** Brings what stands around Kubernetes to its wanted state, where somebody else installs Kubernetes. */
export const site = {
  name: 'site',
  summary: 'Everything below, in this order',
  targets: everything,
  danger: 'none',
  applies: (cluster) => !hasNodes(cluster),
  parts: building,
  effect: bringsAll,
  verifies: false,
  example: 'run',
} as const satisfies Operation;

/** What brings storage and tells Kubernetes of it, in this order. */
const ofStorage: readonly string[] = ['nfs-server', 'nfs-client', 'persistent-volumes'];

/** Operations on a cluster as a whole, and on what stands beside it. */
const onClusters = [
  {
    name: 'instantiate',
    summary: 'Build the whole cluster from bare hosts: everything below, in this order',
    targets: everything,
    danger: 'none',
    applies: hasNodes,
    parts: building,
    effect: bringsAll,
    verifies: true,
    example: 'run',
  },
  {
    name: 'heal-storage',
    summary:
      'Rebuild the storage server, keep the data that survived, and register its volumes again; refused while a volume is in use',
    targets: everything,
    danger: 'reformat',
    applies: (cluster) => hasNodes(cluster) && cluster.storage.servers.length > 0,
    parts: (phases) => phasesNamed(phases, ['storage-use', 'forget-volumes', ...ofStorage]),
    effect: ({ phases }) => effect({ brings: phases.filter((phase) => ofStorage.includes(phase)) }),
    verifies: false,
    example: 'heal-storage --confirm edge-a',
  },
  {
    name: 'heal-cluster',
    summary: 'Remove the cluster and rebuild it; what etcd holds is lost, volumes stay',
    targets: everything,
    danger: 'reset',
    applies: hasNodes,
    parts: (phases) => [...phasesNamed(phases, ['reset', 'kubespray-reset']), ...building(phases)],
    effect: (planned) => ({ ...bringsAll(planned), cnfs: { brings: [], drops: ['*'] } }),
    verifies: true,
    example: 'heal-cluster --confirm edge-a',
  },
  {
    name: 'rotate-certificates',
    summary:
      'Renew control plane certificates that expire soon, approve those that kubelets ask for, and verify the cluster',
    targets: everything,
    danger: 'none',
    applies: isOurs,
    parts: (phases) => phasesNamed(phases, ['certificates', 'kubelet-certificates', 'verify']),
    effect: () => undefined,
    verifies: true,
    example: 'rotate-certificates',
  },
  {
    name: 'restore',
    summary: 'Restore etcd from a kept snapshot, and verify the cluster; changes since the snapshot are lost',
    targets: everything,
    danger: 'reset',
    applies: isOurs,
    parts: (phases) => phasesNamed(phases, ['etcd-restore', 'verify']),
    effect: revertsEtcd,
    verifies: true,
    example: 'restore --set etcd_restore_snapshot=latest --confirm edge-a',
  },
  {
    name: 'upgrade',
    summary: 'Upgrade Kubernetes to the version in the definition, one node at a time',
    targets: everything,
    danger: 'none',
    // With kubeadm one phase of the same name does it all, so there is nothing to import.
    applies: ({ kubernetes }) => kubernetes.installer === 'kubespray',
    parts: (phases) => phasesNamed(phases, ['kubespray-upgrade', 'verify']),
    effect: ({ phases, cluster }) =>
      effect({ brings: phases.filter(isOfUpgrade), version: cluster.kubernetes.version }),
    verifies: false,
    example: 'upgrade',
  },
  {
    name: 'reconfigure',
    summary:
      'Reconfigure arguments, audit, certificate names, kubelets and kube-proxy of a running cluster, one node at a time',
    targets: everything,
    danger: 'none',
    applies: isOurs,
    parts: (phases) => phasesNamed(phases, ['kubernetes-settings', 'kubelet-certificates', 'verify']),
    effect: () => effect({ brings: ['kubernetes-settings'] }),
    verifies: true,
    example: 'reconfigure',
  },
  {
    name: 'terminate',
    summary:
      'Remove everything of this cluster from its hosts and the Ansible server; records, snapshots and volumes stay',
    targets: everything,
    danger: 'reset',
    applies: hasNodes,
    // The schedule first, so that no job begins meanwhile.
    parts: (phases) => phasesNamed(phases, ['schedule', 'reset', 'kubespray-reset', 'cleanup']),
    effect: removesAll,
    verifies: false,
    example: 'terminate --confirm edge-a',
  },
] as const satisfies readonly Operation[];

/** Operations on nodes that join, leave or are recreated. */
const onNodes = [
  {
    name: 'scale-out',
    summary: 'Add the targets to the cluster as new nodes, and update everything that depends on them',
    targets: someNodes(false),
    danger: 'none',
    applies: hasNodes,
    // A node that fails is left out, the others are finished.
    parts: (phases) => [...phasesNamed(phases, ['node-preflight']), ...buildingNodes(phases)],
    effect: ({ targets, brings }) => effect({ brings, enters: targets, each: true }),
    verifies: true,
    example: 'scale-out worker03 worker04',
  },
  {
    name: 'scale-in',
    summary: 'Drain the targets, remove them from the cluster, and remove everything of it from them',
    targets: someNodes(true),
    danger: 'remove',
    applies: hasNodes,
    // Static routes last, when the cluster knows which nodes are left.
    parts: (phases) => phasesNamed(phases, [...leaving, 'etc-hosts', 'network']),
    effect: ({ targets }) => effect({ leaves: targets }),
    verifies: true,
    example: 'scale-in worker03 --confirm worker03',
  },
  {
    name: 'heal-node',
    summary:
      'Recreate the target if it is unhealthy: remove it from the cluster, clean it, and let it join again',
    targets: oneNode,
    danger: 'none',
    applies: hasNodes,
    parts: recreating,
    effect: ({ targets, brings }) => effect({ brings, enters: targets }),
    verifies: false,
    example: 'heal-node worker03',
  },
  {
    name: 'replace-node',
    summary:
      'Replace the machine that the cluster knows as the target with the one that the definition names now',
    targets: oneNode,
    danger: 'quorum',
    applies: hasNodes,
    parts: recreating,
    effect: ({ targets, brings }) => effect({ brings, enters: targets }),
    verifies: true,
    example: 'replace-node master02 --confirm master02',
  },
] as const satisfies readonly Operation[];

const [instantiate, ...others] = onClusters;

/** Every operation. The first that applies to a cluster is the one that is run when none is named. */
export const operations: readonly Operation[] = [site, instantiate, ...onNodes, ...others];

/** Operations that have a task of their own; the others are what `run` does when none is named. */
export const ownTasks: readonly Operation[] = [...onNodes, ...others];

/** kubespray's upgrade brings everything that it is told, not a version alone. */
export const isOfUpgrade = (phase: string): boolean => phase === 'kubespray-cluster';
