/** What a field of KubeletConfiguration holds. */
export type KubeletType =
  | { readonly kind: 'whole'; readonly least: number; readonly most: number }
  | { readonly kind: 'truth' | 'texts' | 'truths' };

/** undefined: nothing is known of the field. */
export const kubeletType = (field: string): KubeletType | undefined => table.get(field);

const int32 = 2 ** 31 - 1;

const whole = (names: string, least: number, most = int32): readonly (readonly [string, KubeletType])[] =>
  names.split(' ').map((name) => [name, { kind: 'whole', least, most }]);

const all = (
  kind: 'truth' | 'texts' | 'truths',
  names: string,
): readonly (readonly [string, KubeletType])[] => names.split(' ').map((name) => [name, { kind }]);

/**
 * Fields that are often set, no whole schema. Source: config/v1beta1/types.go of k8s.io/kubelet for types, and
 * pkg/kubelet/apis/config/validation of k8s.io/kubernetes for the least and the most. Of 1.35.4, 1.36.3 and 1.37.2, read on 2026-11-27.
 */
const table: ReadonlyMap<string, KubeletType> = new Map([
  ...whole('maxPods podsPerCore registryPullQPS registryBurst eventRecordQPS eventBurst kubeAPIBurst', 0),
  ...whole('imageGCHighThresholdPercent imageGCLowThresholdPercent', 0, 100),
  ...whole('nodeStatusMaxImages', -1),
  ...whole('containerLogMaxFiles', 2),
  ...whole('containerLogMaxWorkers maxParallelImagePulls nodeLeaseDurationSeconds', 1),
  ...whole('oomScoreAdj', -1000, 1000),
  ...whole('readOnlyPort', 0, 65_535),
  ...whole('maxOpenFiles', 0, Number.MAX_SAFE_INTEGER),
  ...all(
    'truth',
    'cgroupsPerQOS cpuCFSQuota enableContentionProfiling enableControllerAttachDetach enableDebugFlagsHandler enableDebuggingHandlers enableProfilingHandler enableServer enableSystemLogHandler enableSystemLogQuery failCgroupV1 failSwapOn localStorageCapacityIsolation makeIPTablesUtilChains mergeDefaultEvictionSettings protectKernelDefaults registerNode seccompDefault serializeImagePulls singleProcessOOMKill',
  ),
  ...all(
    'texts',
    'evictionHard evictionSoft evictionSoftGracePeriod evictionMinimumReclaim systemReserved kubeReserved qosReserved cpuManagerPolicyOptions topologyManagerPolicyOptions',
  ),
  ...all('truths', 'featureGates'),
]);
