/** A kind that Kubernetes served once, at an API version that is no longer served. */
export interface RemovedApi {
  /** Like `policy/v1beta1`. */
  readonly apiVersion: string;
  readonly kind: string;
  /** As it stands in URLs and in `apiserver_requested_deprecated_apis`: `poddisruptionbudgets`. */
  readonly resource: string;
  /** The first minor version that does not serve it: 25 of 1.25. */
  readonly since: number;
  /** The API version that takes its place; empty: nothing does. */
  readonly instead: string;
}

/** What Kubernetes 1.`minor` serves no more. An upgrade meets those whose `since` is after the minor it leaves. */
export const removedApis = (minor: number): readonly RemovedApi[] =>
  removals.filter(({ since }) => since <= minor);

/**
 * Objects that can be stored, removed from 1.22 to 1.37. Source: `APILifecycleRemoved` and `APILifecycleIntroduced` of
 * every kind in k8s.io/api, k8s.io/apiextensions-apiserver and k8s.io/kube-aggregator (zz_generated.prerelease-lifecycle.go),
 * each at v0.30.14, 0.31.14, 0.32.13, 0.33.13, 0.34.4, 0.35.4, 0.36.3 and 0.37.2; where a type left the source earlier than
 * it was announced to, the release in which it was missing. PodSecurityPolicy: the deprecation guide. Read on 2026-11-23.
 */
const removals: readonly RemovedApi[] = [
  ...removed(22, 'admissionregistration.k8s.io/v1beta1', 'v1', [
    'MutatingWebhookConfiguration',
    'ValidatingWebhookConfiguration',
  ]),
  ...removed(22, 'apiextensions.k8s.io/v1beta1', 'v1', ['CustomResourceDefinition']),
  ...removed(22, 'apiregistration.k8s.io/v1beta1', 'v1', ['APIService']),
  ...removed(22, 'certificates.k8s.io/v1beta1', 'v1', ['CertificateSigningRequest']),
  ...removed(22, 'coordination.k8s.io/v1beta1', 'v1', ['Lease']),
  ...removed(22, 'extensions/v1beta1', 'networking.k8s.io/v1', ['Ingress']),
  ...removed(22, 'networking.k8s.io/v1beta1', 'v1', ['Ingress', 'IngressClass']),
  ...removed(22, 'rbac.authorization.k8s.io/v1beta1', 'v1', [
    'ClusterRole',
    'ClusterRoleBinding',
    'Role',
    'RoleBinding',
  ]),
  ...removed(22, 'scheduling.k8s.io/v1beta1', 'v1', ['PriorityClass']),
  ...removed(22, 'storage.k8s.io/v1beta1', 'v1', [
    'CSIDriver',
    'CSINode',
    'StorageClass',
    'VolumeAttachment',
  ]),
  ...removed(24, 'storage.k8s.io/v1alpha1', 'v1', ['CSIStorageCapacity', 'VolumeAttachment']),
  ...removed(25, 'autoscaling/v2beta1', 'v2', ['HorizontalPodAutoscaler']),
  ...removed(25, 'batch/v1beta1', 'v1', ['CronJob']),
  ...removed(25, 'discovery.k8s.io/v1beta1', 'v1', ['EndpointSlice']),
  ...removed(25, 'events.k8s.io/v1beta1', 'v1', ['Event']),
  ...removed(25, 'node.k8s.io/v1beta1', 'v1', ['RuntimeClass']),
  ...removed(25, 'policy/v1beta1', 'v1', ['PodDisruptionBudget']),
  ...removed(25, 'policy/v1beta1', '', ['PodSecurityPolicy']),
  ...removed(26, 'autoscaling/v2beta2', 'v2', ['HorizontalPodAutoscaler']),
  ...removed(26, 'flowcontrol.apiserver.k8s.io/v1beta1', 'v1', ['FlowSchema', 'PriorityLevelConfiguration']),
  ...removed(27, 'storage.k8s.io/v1beta1', 'v1', ['CSIStorageCapacity']),
  ...removed(29, 'flowcontrol.apiserver.k8s.io/v1beta2', 'v1', ['FlowSchema', 'PriorityLevelConfiguration']),
  ...removed(32, 'admissionregistration.k8s.io/v1alpha1', 'v1', [
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
  ]),
  ...removed(32, 'coordination.k8s.io/v1alpha1', 'v1beta1', ['LeaseCandidate']),
  ...removed(32, 'flowcontrol.apiserver.k8s.io/v1beta3', 'v1', ['FlowSchema', 'PriorityLevelConfiguration']),
  ...removed(33, 'networking.k8s.io/v1alpha1', 'v1', ['IPAddress', 'ServiceCIDR']),
  ...removed(34, 'admissionregistration.k8s.io/v1beta1', 'v1', [
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
  ]),
  ...removed(34, 'resource.k8s.io/v1alpha3', 'v1', [
    'DeviceClass',
    'ResourceClaim',
    'ResourceClaimTemplate',
    'ResourceSlice',
  ]),
  ...removed(35, 'certificates.k8s.io/v1alpha1', 'v1beta1', ['PodCertificateRequest']),
  ...removed(35, 'storage.k8s.io/v1alpha1', 'v1', ['VolumeAttributesClass']),
  ...removed(35, 'storagemigration.k8s.io/v1alpha1', 'v1beta1', ['StorageVersionMigration']),
  ...removed(37, 'certificates.k8s.io/v1alpha1', 'v1', ['ClusterTrustBundle']),
  ...removed(37, 'networking.k8s.io/v1beta1', 'v1', ['IPAddress', 'ServiceCIDR']),
  ...removed(37, 'storage.k8s.io/v1beta1', 'v1', ['VolumeAttributesClass']),
];

/** `instead` names a version of the same group, or a whole API version. */
function removed(
  since: number,
  apiVersion: string,
  instead: string,
  kinds: readonly string[],
): readonly RemovedApi[] {
  const group = apiVersion.split('/')[0] ?? '';
  const place = instead === '' || instead.includes('/') ? instead : `${group}/${instead}`;
  return kinds.map((kind) => ({ apiVersion, kind, resource: resourceOf(kind), since, instead: place }));
}

function resourceOf(kind: string): string {
  const word = kind.toLowerCase();
  if (word.endsWith('s')) return `${word}es`;
  return word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`;
}
