/** Names of feature gates that Kubernetes 1.`minor` does not know any more and the one before knew; none are known of others. */
export const gatesRemovedIn = (minor: number): readonly string[] => removals[minor] ?? [];

/**
 * Differences of the gates that k8s.io/kubernetes, apiserver, component-base, client-go, controller-manager and kube-proxy
 * declare at 1.34.4, 1.35.4, 1.36.3 and 1.37.2. Read on 2026-11-23.
 */
const removals: Readonly<Record<number, readonly string[]>> = {
  35: [
    'AllowServiceLBStatusOnNonLB',
    'ComponentSLIs',
    'CronJobsScheduledAnnotation',
    'LoadBalancerIPMode',
    'PodIndexLabel',
    'ProbeHostPodSecurityStandards',
    'SizeMemoryBackedVolumes',
    'StatefulSetAutoDeletePVC',
    'StrictCostEnforcementForVAP',
    'StrictCostEnforcementForWebhooks',
    'UserNamespacesPodSecurityStandards',
  ],
  36: [
    'CSIMigrationPortworx',
    'HonorPVReclaimPolicy',
    'InPlacePodVerticalScalingAllocatedStatus',
    'InTreePluginPortworxUnregister',
    'MemoryManager',
    'ServiceTrafficDistribution',
    'StructuredAuthorizationConfiguration',
    'TopologyAwareHints',
    'WatchFromStorageWithoutResourceVersion',
  ],
  37: [
    'APIServerTracing',
    'AnonymousAuthConfigurableEndpoints',
    'AnyVolumeDataSource',
    'AuthorizeNodeWithSelectors',
    'AuthorizeWithSelectors',
    'BtreeWatchCache',
    'ConsistentListFromCache',
    'GangScheduling',
    'JobBackoffLimitPerIndex',
    'JobPodReplacementPolicy',
    'JobSuccessPolicy',
    'LogarithmicScaleDown',
    'OrderedNamespaceDeletion',
    'PodLifecycleSleepAction',
    'PodLifecycleSleepActionAllowZero',
    'PreventStaticPodAPIReferences',
    'RelaxedDNSSearchValidation',
    'ResilientWatchCacheInitialization',
    'RetryGenerateName',
    'SchedulerQueueingHints',
    'SidecarContainers',
    'StreamingCollectionEncodingToJSON',
    'StreamingCollectionEncodingToProtobuf',
    'StructuredAuthenticationConfiguration',
    'WorkloadAwarePreemption',
  ],
};
