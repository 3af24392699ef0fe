/** Something that Kubernetes refuses from a minor version on. */
export interface RemovedKind {
  readonly since: number;
  /** What to write in its place, as words that follow "right:". */
  readonly instead: string;
}

/** The programs of Kubernetes that take arguments, and the etcd that kubeadm installs beside them. */
export type Program = 'apiServer' | 'controllerManager' | 'scheduler' | 'kubelet' | 'kubeProxy' | 'etcd';

/** Since when a program does not know an argument any more; undefined: nothing speaks against it. */
export const removedArgument = (program: Program, name: string): RemovedKind | undefined => {
  const row = [...removedArguments[program], ...(program === 'etcd' ? removedFromEtcd : [])].find(
    ([, names]) => names.split(' ').includes(name),
  );
  return row && { since: row[0], instead: row[2] };
};

/** Arguments with which the kubelet of 1.`minor` does not start and that of the one before did, as they may stand on a node. */
export const kubeletArgumentsRemovedIn = (minor: number): readonly string[] =>
  removedArguments.kubelet.flatMap(([since, names]) =>
    since === minor ? names.split(' ').filter((name) => name !== takenAwayByKubeadm) : [],
  );

/** cmd/kubeadm/app/cmd/phases/upgrade/postupgrade.go of 1.35 does so on every node. */
const takenAwayByKubeadm = 'pod-infra-container-image';

type RemovalRow = readonly [since: number, names: string, instead: string];

const leaveOut = 'leave it out: it had no effect any more';
const useSecurePort = 'leave it out: there is the secured port alone, `bind-address` and `secure-port`';
const external = 'leave it out: a cloud controller manager of its own does that';

/**
 * Removed from 1.31 to 1.37. Source: the flags that the option packages below cmd, pkg/kubeapiserver/options, pkg/controlplane/apiserver/options
 * and pkg/kubelet/config of k8s.io/kubernetes, and the option packages of apiserver, cloud-provider, component-base and
 * controller-manager define, compared between 1.30.14, 1.31.14, 1.32.13, 1.33.13, 1.34.4, 1.35.4, 1.36.3 and 1.37.2: 1.36
 * and 1.37 removed none. Read on 2026-11-23.
 */
const removedArguments: Readonly<Record<Program, readonly RemovalRow[]>> = {
  apiServer: [
    [31, 'address insecure-bind-address insecure-port port', useSecurePort],
    [33, 'cloud-config cloud-provider', external],
  ],
  controllerManager: [
    [31, 'address insecure-bind-address insecure-port port', useSecurePort],
    [31, 'horizontal-pod-autoscaler-downscale-delay', '`horizontal-pod-autoscaler-downscale-stabilization`'],
    [31, 'horizontal-pod-autoscaler-upscale-delay', leaveOut],
    [31, 'volume-host-allow-local-loopback volume-host-cidr-denylist', leaveOut],
  ],
  scheduler: [[31, 'address insecure-bind-address insecure-port port', useSecurePort]],
  kubelet: [
    [31, 'iptables-drop-bit iptables-masquerade-bit keep-terminated-pod-volumes', leaveOut],
    [34, 'cloud-config', external],
    [34, 'register-schedulable', '`taints` of the node'],
    [35, 'pod-infra-container-image', 'leave it out: containerd is told by `containerd.pauseImage`'],
  ],
  kubeProxy: [[31, 'proxy-port-range', leaveOut]],
  etcd: [],
};

const experimental = (names: string, instead: (name: string) => string): readonly RemovalRow[] =>
  names.split(' ').map((name) => [37, `experimental-${name}`, instead(name)]);

/**
 * By the minor version of Kubernetes whose kubeadm installs the etcd that does not know them: 1.34 brings 3.6, 1.37 brings 3.7, see
 * `etcdStepTo`. Source: the flags of server/etcdmain/config.go and server/embed/config.go of go.etcd.io/etcd/server/v3 at 3.5.21,
 * 3.6.11 and 3.7.0, compared; features/etcd_features.go names the feature gates. 3.6 warns of what 3.7 removed. Read on 2026-11-27.
 */
const removedFromEtcd: readonly RemovalRow[] = [
  [
    34,
    'enable-v2 experimental-enable-v2v3 proxy proxy-dial-timeout proxy-failure-wait proxy-read-timeout proxy-refresh-interval proxy-write-timeout',
    'leave it out: Kubernetes speaks version 3 of the protocol alone',
  ],
  [37, 'discovery discovery-proxy', 'leave it out: kubeadm names the members'],
  ...experimental(
    'bootstrap-defrag-threshold-megabytes compact-hash-check-time compaction-batch-limit compaction-sleep-interval corrupt-check-time distributed-tracing-address distributed-tracing-instance-id distributed-tracing-sampling-rate distributed-tracing-service-name downgrade-check-time enable-distributed-tracing memory-mlock peer-skip-client-san-verification snapshot-catchup-entries warning-apply-duration warning-unary-request-duration watch-progress-notify-interval',
    (name) => `\`${name}\`, without \`experimental-\``,
  ),
  ...Object.entries({
    'compact-hash-check-enabled': 'CompactHashCheck',
    'enable-lease-checkpoint': 'LeaseCheckpoint',
    'enable-lease-checkpoint-persist': 'LeaseCheckpointPersist',
    'initial-corrupt-check': 'InitialCorruptCheck',
    'stop-grpc-service-on-defrag': 'StopGRPCServiceOnDefrag',
    'txn-mode-write-with-shared-buffer': 'TxnModeWriteWithSharedBuffer',
  }).flatMap(([name, gate]) => experimental(name, () => `feature-gates: ${gate}=true`)),
];

/** Since when the API server does not know an admission plugin any more. */
export const removedAdmissionPlugin = (name: string): RemovedKind | undefined =>
  Object.hasOwn(removedPlugins, name) ? removedPlugins[name] : undefined;

/** Plugins that the API server of 1.`minor` does not know any more and that of the one before knew. */
export const admissionPluginsRemovedIn = (minor: number): readonly string[] =>
  Object.entries(removedPlugins).flatMap(([name, { since }]) => (since === minor ? [name] : []));

/**
 * Source: the plugin names of plugin/pkg/admission and of apiserver's pkg/admission, compared as above; the first two from
 * the deprecation notes of their releases. Read on 2026-11-23.
 */
const removedPlugins: Readonly<Record<string, RemovedKind>> = {
  PodSecurityPolicy: { since: 25, instead: '`PodSecurity`, which is on by itself' },
  SecurityContextDeny: { since: 30, instead: '`PodSecurity`, which is on by itself' },
  PersistentVolumeLabel: {
    since: 31,
    instead: 'leave it out: the CSI driver of the cloud labels its volumes',
  },
  JobValidation: { since: 37, instead: 'leave it out: it was there for 1.36 alone' },
  PodGroupWorkloadExists: { since: 37, instead: 'leave it out: it was there for 1.36 alone' },
};

/** What becomes of a mode of kube-proxy; 0: it does not come to that, as far as is known. */
export interface ProxyModeFact {
  readonly deprecatedSince: number;
  readonly offSince: number;
  readonly goneSince: number;
  readonly instead: string;
}

export const proxyMode = (mode: string): ProxyModeFact | undefined =>
  Object.hasOwn(proxyModes, mode) ? proxyModes[mode] : undefined;

/**
 * `ipvs`: cmd/kube-proxy/app/server_linux.go of 1.35.4 deprecates it, that of 1.37.2 says "will be disabled by default in
 * Kubernetes 1.40 and removed in Kubernetes 1.43". `userspace` left with 1.26. Read on 2026-11-23.
 */
const proxyModes: Readonly<Record<string, ProxyModeFact>> = {
  userspace: { deprecatedSince: 23, offSince: 0, goneSince: 26, instead: 'nftables' },
  ipvs: { deprecatedSince: 35, offSince: 40, goneSince: 43, instead: 'nftables' },
};

/**
 * Fields of KubeletConfiguration that came after 1.30, and when; the kubelet refuses a field it does not know. None was
 * removed from 1.31 to 1.37. Source: config/v1beta1/types.go of k8s.io/kubelet at 0.30.14, 0.31.14, 0.32.13, 0.33.13,
 * 0.34.4, 0.35.4, 0.36.3 and 0.37.2. Read on 2026-11-23.
 */
const kubeletFields: Readonly<Record<string, number>> = {
  failCgroupV1: 31,
  crashLoopBackOff: 32,
  singleProcessOOMKill: 32,
  imagePullCredentialsVerificationPolicy: 33,
  mergeDefaultEvictionSettings: 33,
  preloadedImagesVerificationAllowlist: 33,
  userNamespaces: 33,
  memoryReservationPolicy: 36,
  tlsCurvePreferences: 36,
  defaultPodSysctls: 37,
};

/** The first minor version whose kubelet knows a field; 0: it is not one of those that came late. */
export const kubeletFieldSince = (field: string): number =>
  Object.hasOwn(kubeletFields, field) ? (kubeletFields[field] ?? 0) : 0;
