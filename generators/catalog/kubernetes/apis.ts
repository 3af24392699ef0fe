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
  ...removal(22, 'admissionregistration.k8s.io/v1beta1', 'v1', [
    'MutatingWebhookConfiguration',
    'ValidatingWebhookConfiguration',
  ]),
  ...removal(22, 'apiextensions.k8s.io/v1beta1', 'v1', ['CustomResourceDefinition']),
  ...removal(22, 'apiregistration.k8s.io/v1beta1', 'v1', ['APIService']),
  ...removal(22, 'certificates.k8s.io/v1beta1', 'v1', ['CertificateSigningRequest']),
  ...removal(22, 'coordination.k8s.io/v1beta1', 'v1', ['Lease']),
  ...removal(22, 'extensions/v1beta1', 'networking.k8s.io/v1', ['Ingress']),
  ...removal(22, 'networking.k8s.io/v1beta1', 'v1', ['Ingress', 'IngressClass']),
  ...removal(22, 'rbac.authorization.k8s.io/v1beta1', 'v1', [
    'ClusterRole',
    'ClusterRoleBinding',
    'Role',
    'RoleBinding',
  ]),
  ...removal(22, 'scheduling.k8s.io/v1beta1', 'v1', ['PriorityClass']),
  ...removal(22, 'storage.k8s.io/v1beta1', 'v1', [
    'CSIDriver',
    'CSINode',
    'StorageClass',
    'VolumeAttachment',
  ]),
  ...removal(24, 'storage.k8s.io/v1alpha1', 'v1', ['CSIStorageCapacity', 'VolumeAttachment']),
  ...removal(25, 'autoscaling/v2beta1', 'v2', ['HorizontalPodAutoscaler']),
  ...removal(25, 'batch/v1beta1', 'v1', ['CronJob']),
  ...removal(25, 'discovery.k8s.io/v1beta1', 'v1', ['EndpointSlice']),
  ...removal(25, 'events.k8s.io/v1beta1', 'v1', ['Event']),
  ...removal(25, 'node.k8s.io/v1beta1', 'v1', ['RuntimeClass']),
  ...removal(25, 'policy/v1beta1', 'v1', ['PodDisruptionBudget']),
  ...removal(25, 'policy/v1beta1', '', ['PodSecurityPolicy']),
  ...removal(26, 'autoscaling/v2beta2', 'v2', ['HorizontalPodAutoscaler']),
  ...removal(26, 'flowcontrol.apiserver.k8s.io/v1beta1', 'v1', ['FlowSchema', 'PriorityLevelConfiguration']),
  ...removal(27, 'storage.k8s.io/v1beta1', 'v1', ['CSIStorageCapacity']),
  ...removal(29, 'flowcontrol.apiserver.k8s.io/v1beta2', 'v1', ['FlowSchema', 'PriorityLevelConfiguration']),
  ...removal(32, 'admissionregistration.k8s.io/v1alpha1', 'v1', [
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
  ]),
  ...removal(32, 'coordination.k8s.io/v1alpha1', 'v1beta1', ['LeaseCandidate']),
  ...removal(32, 'flowcontrol.apiserver.k8s.io/v1beta3', 'v1', ['FlowSchema', 'PriorityLevelConfiguration']),
  ...removal(33, 'networking.k8s.io/v1alpha1', 'v1', ['IPAddress', 'ServiceCIDR']),
  ...removal(34, 'admissionregistration.k8s.io/v1beta1', 'v1', [
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
  ]),
  ...removal(34, 'resource.k8s.io/v1alpha3', 'v1', [
    'DeviceClass',
    'ResourceClaim',
    'ResourceClaimTemplate',
    'ResourceSlice',
  ]),
  ...removal(35, 'certificates.k8s.io/v1alpha1', 'v1beta1', ['PodCertificateRequest']),
  ...removal(35, 'storage.k8s.io/v1alpha1', 'v1', ['VolumeAttributesClass']),
  ...removal(35, 'storagemigration.k8s.io/v1alpha1', 'v1beta1', ['StorageVersionMigration']),
  ...removal(37, 'certificates.k8s.io/v1alpha1', 'v1', ['ClusterTrustBundle']),
  ...removal(37, 'networking.k8s.io/v1beta1', 'v1', ['IPAddress', 'ServiceCIDR']),
  ...removal(37, 'storage.k8s.io/v1beta1', 'v1', ['VolumeAttributesClass']),
];

/** `instead` names a version of the same group, or a whole API version. */
function removal(
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
