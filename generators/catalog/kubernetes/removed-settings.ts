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

/** Arguments with which the kubelet of Kubernetes 1.`minor` does not start, and that of the one before did. */
export const kubeletArgumentsRemovedIn = (minor: number): readonly string[] =>
  // kubeadm 1.35 itself takes `pod-infra-container-image` away (cmd/kubeadm/app/cmd/phases/upgrade/postupgrade.go).
  minor === 34 ? ['cloud-config', 'register-schedulable'] : [];

/** The same of admission plugins: plugin/pkg/admission at 1.36.3 has both, that at 1.37.2 neither. Read on 2026-11-23. */
export const admissionPluginsRemovedIn = (minor: number): readonly string[] =>
  minor === 37 ? ['JobValidation', 'PodGroupWorkloadExists'] : [];
