/**
 * Feature gates of all components together, from 1.31 to 1.37. Source: the gates that pkg/features and the other registries
 * of k8s.io/kubernetes, apiserver, apiextensions-apiserver, client-go, cloud-provider, component-base and controller-manager
 * list at 1.30.14, 1.31.14, 1.32.13, 1.33.13, 1.34.4, 1.35.4, 1.36.3 and 1.37.2: a gate is gone in the first of them
 * that does not list it, and locked in the first whose specification for that minor says `LockToDefault`. To repeat it,
 * `go mod download` those modules and compare the lists of two neighbours. Read on 2026-11-23.
 */
export interface FeatureGateFact {
  /** The first minor version that refuses to start with it; 0: all that are known here have it. */
  readonly goneSince: number;
  /** The first minor version that starts with one value alone (30: that or earlier); 0: it can be switched. */
  readonly lockedSince: number;
  /** The value it is locked to. */
  readonly lockedTo: boolean;
}

/** What is known of a gate; undefined: nothing speaks against it. */
export function featureGate(name: string): FeatureGateFact | undefined {
  const goneSince = sinceOf(removedGates, name);
  const on = sinceOf(lockedOn, name);
  const off = sinceOf(lockedOff, name);
  if (goneSince + on + off === 0) return undefined;
  return { goneSince, lockedSince: on + off, lockedTo: on > 0 };
}

/** Names of gates that Kubernetes 1.`minor` does not know any more and the one before knew. */
export const gatesRemovedIn = (minor: number): readonly string[] =>
  removedGates.flatMap(([since, names]) => (since === minor ? names.split(' ') : []));

const sinceOf = (table: Table, name: string): number =>
  table.find(([, names]) => names.split(' ').includes(name))?.[0] ?? 0;

type Table = readonly (readonly [since: number, names: string])[];

const removedGates: Table = [
  [
    31,
    [
      'APIPriorityAndFairness CSIMigrationRBD CSINodeExpandSecret ConsistentHTTPGetHandlers',
      'CustomResourceValidationExpressions DefaultHostNetworkHostPortsInPodTemplates',
      'InTreePluginAWSUnregister InTreePluginAzureDiskUnregister InTreePluginAzureFileUnregister',
      'InTreePluginGCEUnregister InTreePluginOpenStackUnregister InTreePluginRBDUnregister',
      'InTreePluginvSphereUnregister JobReadyPods ReadWriteOncePod ServiceNodePortStaticSubrange',
      'SkipReadOnlyValidationGCE',
    ].join(' '),
  ],
  [
    32,
    [
      'CloudDualStackNodeIPs DRAControlPlaneController HPAContainerMetrics KMSv2 KMSv2KDF',
      'LegacyServiceAccountTokenCleanUp MinDomainsInPodTopologySpread NewVolumeManagerReconstruction',
      'NodeOutOfServiceVolumeDetach PodHostIPs ServerSideApply ServerSideFieldValidation',
      'StableLoadBalancerNodeSet ValidatingAdmissionPolicy ZeroLimitedNominalConcurrencyShares',
    ].join(' '),
  ],
  [
    33,
    [
      'APIListChunking AdmissionWebhookMatchConditions AggregatedDiscoveryEndpoint AppArmor',
      'AppArmorFields CPUManager DisableCloudProviders DisableKubeletCloudCredentialProviders',
      'EfficientWatchResumption JobPodFailurePolicy KubeProxyDrainingTerminatingNodes',
      'PDBUnhealthyPodEvictionPolicy PersistentVolumeLastPhaseTransitionTime RemainingItemCount',
      'VolumeCapacityPriority WatchBookmark',
    ].join(' '),
  ],
  [
    34,
    [
      'DevicePluginCDIDevices ElasticIndexedJob LegacySidecarContainers PodDisruptionConditions',
      'StatefulSetStartOrdinal',
    ].join(' '),
  ],
  [
    35,
    [
      'AllowServiceLBStatusOnNonLB ComponentSLIs CronJobsScheduledAnnotation LoadBalancerIPMode',
      'PodIndexLabel ProbeHostPodSecurityStandards SizeMemoryBackedVolumes StatefulSetAutoDeletePVC',
      'StrictCostEnforcementForVAP StrictCostEnforcementForWebhooks UserNamespacesPodSecurityStandards',
    ].join(' '),
  ],
  [
    36,
    [
      'CSIMigrationPortworx HonorPVReclaimPolicy InPlacePodVerticalScalingAllocatedStatus',
      'InTreePluginPortworxUnregister MemoryManager ServiceTrafficDistribution',
      'StructuredAuthorizationConfiguration TopologyAwareHints WatchFromStorageWithoutResourceVersion',
    ].join(' '),
  ],
  [
    37,
    [
      'APIServerTracing AnonymousAuthConfigurableEndpoints AnyVolumeDataSource',
      'AuthorizeNodeWithSelectors AuthorizeWithSelectors BtreeWatchCache ConsistentListFromCache',
      'GangScheduling JobBackoffLimitPerIndex JobPodReplacementPolicy JobSuccessPolicy',
      'LogarithmicScaleDown OrderedNamespaceDeletion PodLifecycleSleepAction',
      'PodLifecycleSleepActionAllowZero PreventStaticPodAPIReferences RelaxedDNSSearchValidation',
      'ResilientWatchCacheInitialization RetryGenerateName SchedulerQueueingHints SidecarContainers',
      'StreamingCollectionEncodingToJSON StreamingCollectionEncodingToProtobuf',
      'StructuredAuthenticationConfiguration WorkloadAwarePreemption',
    ].join(' '),
  ],
];

const lockedOn: Table = [
  [
    30,
    [
      'APIListChunking APIPriorityAndFairness AdmissionWebhookMatchConditions',
      'AggregatedDiscoveryEndpoint CPUManager CSINodeExpandSecret CloudDualStackNodeIPs',
      'ConsistentHTTPGetHandlers CustomResourceValidationExpressions EfficientWatchResumption',
      'HPAContainerMetrics JobReadyPods KMSv2 KMSv2KDF LegacyServiceAccountTokenCleanUp',
      'MinDomainsInPodTopologySpread NewVolumeManagerReconstruction NodeOutOfServiceVolumeDetach',
      'PodHostIPs PodSchedulingReadiness ReadWriteOncePod RemainingItemCount ServerSideApply',
      'ServerSideFieldValidation ServiceNodePortStaticSubrange StableLoadBalancerNodeSet',
      'ValidatingAdmissionPolicy WatchBookmark ZeroLimitedNominalConcurrencyShares',
    ].join(' '),
  ],
  [
    31,
    [
      'AppArmor AppArmorFields DevicePluginCDIDevices DisableCloudProviders',
      'DisableKubeletCloudCredentialProviders ElasticIndexedJob JobPodFailurePolicy',
      'KubeProxyDrainingTerminatingNodes LogarithmicScaleDown PDBUnhealthyPodEvictionPolicy',
      'PersistentVolumeLastPhaseTransitionTime PodDisruptionConditions StatefulSetStartOrdinal',
    ].join(' '),
  ],
  [
    32,
    [
      'ComponentSLIs CronJobsScheduledAnnotation CustomResourceFieldSelectors LoadBalancerIPMode',
      'MemoryManager PodIndexLabel RetryGenerateName ServiceAccountTokenJTI',
      'ServiceAccountTokenNodeBindingValidation ServiceAccountTokenPodNodeInfo SizeMemoryBackedVolumes',
      'StatefulSetAutoDeletePVC StrictCostEnforcementForVAP StrictCostEnforcementForWebhooks',
      'StructuredAuthorizationConfiguration',
    ].join(' '),
  ],
  [
    33,
    [
      'AnyVolumeDataSource BtreeWatchCache CPUManagerPolicyOptions CRDValidationRatcheting',
      'CSIMigrationPortworx HonorPVReclaimPolicy JobBackoffLimitPerIndex JobSuccessPolicy',
      'MatchLabelKeysInPodAffinity NFTablesProxyMode NodeInclusionPolicyInPodTopologySpread',
      'RecursiveReadOnlyMounts ServiceAccountTokenNodeBinding ServiceTrafficDistribution',
      'SidecarContainers TopologyAwareHints',
    ].join(' '),
  ],
  [
    34,
    [
      'APIServerTracing AnonymousAuthConfigurableEndpoints AuthorizeNodeWithSelectors',
      'AuthorizeWithSelectors ConsistentListFromCache JobPodReplacementPolicy',
      'KubeletCgroupDriverFromCRI KubeletTracing MultiCIDRServiceAllocator NodeSwap',
      'OrderedNamespaceDeletion PodLifecycleSleepAction PodLifecycleSleepActionAllowZero',
      'ProbeHostPodSecurityStandards RecoverVolumeExpansionFailure RelaxedDNSSearchValidation',
      'RelaxedEnvironmentVariableValidation ResilientWatchCacheInitialization SchedulerQueueingHints',
      'SeparateTaintEvictionController StreamingCollectionEncodingToJSON',
      'StreamingCollectionEncodingToProtobuf StructuredAuthenticationConfiguration WinDSR WinOverlay',
    ].join(' '),
  ],
  [
    35,
    [
      'AggregatedDiscoveryRemoveBetaType DisableAllocatorDualWrite DynamicResourceAllocation',
      'ExecProbeTimeout ImageMaximumGCAge InPlacePodVerticalScaling JobManagedBy',
      'PodObservedGenerationTracking PreferSameTrafficDistribution SupplementalGroupsPolicy',
    ].join(' '),
  ],
  [
    36,
    [
      'CSIServiceAccountTokenSecrets DRAAdminAccess DeclarativeValidation DisableNodeKubeProxyVersion',
      'ExternalServiceAccountTokenSigner ImageVolume InOrderInformers KubeletFineGrainedAuthz',
      'KubeletPSI KubeletPodResourcesDynamicResources KubeletPodResourcesGet',
      'MutableCSINodeAllocatableCount NodeLogQuery ProcMountType SELinuxChangePolicy',
      'SELinuxMountReadWriteOncePod TopologyManagerPolicyOptions UserNamespacesSupport',
      'VolumeAttributesClass',
    ].join(' '),
  ],
  [
    37,
    [
      'DRAExtendedResource DRAPrioritizedList DRAResourceClaimDeviceStatus',
      'DisableCPUQuotaWithExclusiveCPUs HPAConfigurableTolerance HostnameOverride',
      'InPlacePodVerticalScalingInitContainers NodeDeclaredFeatures PLEGOnDemandRelist',
      'PodReadyToStartContainersCondition RelaxedServiceNameValidation',
      'WatchCacheInitializationPostStartHook',
    ].join(' '),
  ],
];

const lockedOff: Table = [
  [32, 'AllowServiceLBStatusOnNonLB'],
  [33, 'WatchFromStorageWithoutResourceVersion'],
  [35, 'AllowOverwriteTerminationGracePeriodSeconds'],
  [36, 'GitRepoVolumeDriver SeparateCacheWatchRPC'],
  [37, 'DeclarativeValidationTakeover'],
];
