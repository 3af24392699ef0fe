/** Whether objects of a kind lie in a namespace or belong to the whole cluster. */
export type ObjectScope = 'namespaced' | 'cluster';

interface KindRow {
  readonly apiVersion: string;
  readonly kind: string;
  readonly scope: ObjectScope;
  /** The first and the last minor version that serves it, among those that are known here. */
  readonly from: number;
  readonly until: number;
}

const first = 20;
const last = 99;

/** One line: versions, then kinds; a kind with a star belongs to the whole cluster. */
const served = (
  apiVersion: string,
  kinds: string,
  { from = first, until = last }: { readonly from?: number; readonly until?: number } = {},
): readonly KindRow[] =>
  kinds.split(' ').map((word) => ({
    apiVersion,
    kind: word.replace('*', ''),
    scope: word.endsWith('*') ? 'cluster' : 'namespaced',
    from,
    until,
  }));

/** Gone before the oldest version that is known here; named, since manifests still hold them. */
const gone = { from: 0, until: 15 };

/**
 * Kinds that can be applied, and when: from the deprecation guide and the API references of Kubernetes. The newest version
 * of a kind comes last, since it is what is proposed.
 */
export const kindTable: readonly KindRow[] = [
  ...served('v1', 'ConfigMap Endpoints Event LimitRange PersistentVolumeClaim Pod PodTemplate'),
  ...served('v1', 'ReplicationController ResourceQuota Secret Service ServiceAccount'),
  ...served('v1', 'Namespace* Node* PersistentVolume*'),
  ...served('extensions/v1beta1', 'Deployment DaemonSet ReplicaSet NetworkPolicy PodSecurityPolicy*', gone),
  ...served('extensions/v1beta1', 'Ingress', { until: 21 }),
  ...served('apps/v1beta1', 'Deployment StatefulSet ControllerRevision', gone),
  ...served('apps/v1beta2', 'Deployment StatefulSet DaemonSet ReplicaSet ControllerRevision', gone),
  ...served('apps/v1', 'Deployment StatefulSet DaemonSet ReplicaSet ControllerRevision'),
  ...served('batch/v1beta1', 'CronJob', { until: 24 }),
  ...served('batch/v1', 'Job'),
  ...served('batch/v1', 'CronJob', { from: 21 }),
  ...served('autoscaling/v2beta1', 'HorizontalPodAutoscaler', { until: 24 }),
  ...served('autoscaling/v2beta2', 'HorizontalPodAutoscaler', { until: 25 }),
  ...served('autoscaling/v1', 'HorizontalPodAutoscaler'),
  ...served('autoscaling/v2', 'HorizontalPodAutoscaler', { from: 23 }),
  ...served('policy/v1beta1', 'PodDisruptionBudget PodSecurityPolicy*', { until: 24 }),
  ...served('policy/v1', 'PodDisruptionBudget', { from: 21 }),
  ...served('networking.k8s.io/v1beta1', 'Ingress IngressClass*', { until: 21 }),
  ...served('networking.k8s.io/v1', 'Ingress IngressClass* NetworkPolicy'),
  ...served('networking.k8s.io/v1beta1', 'IPAddress* ServiceCIDR*', { from: 31, until: 36 }),
  ...served('networking.k8s.io/v1', 'IPAddress* ServiceCIDR*', { from: 33 }),
  ...served('rbac.authorization.k8s.io/v1beta1', 'Role RoleBinding ClusterRole* ClusterRoleBinding*', {
    until: 21,
  }),
  ...served('rbac.authorization.k8s.io/v1', 'Role RoleBinding ClusterRole* ClusterRoleBinding*'),
  ...served('storage.k8s.io/v1beta1', 'CSIDriver* CSINode* StorageClass* VolumeAttachment*', { until: 21 }),
  ...served('storage.k8s.io/v1beta1', 'CSIStorageCapacity', { from: 21, until: 26 }),
  ...served('storage.k8s.io/v1', 'CSIDriver* CSINode* StorageClass* VolumeAttachment*'),
  ...served('storage.k8s.io/v1', 'CSIStorageCapacity', { from: 24 }),
  ...served('storage.k8s.io/v1', 'VolumeAttributesClass*', { from: 34 }),
  ...served('storagemigration.k8s.io/v1', 'StorageVersionMigration*', { from: 37 }),
  ...served('scheduling.k8s.io/v1beta1', 'PriorityClass*', { until: 21 }),
  ...served('scheduling.k8s.io/v1', 'PriorityClass*'),
  ...served('coordination.k8s.io/v1beta1', 'Lease', { until: 21 }),
  ...served('coordination.k8s.io/v1', 'Lease'),
  ...served('discovery.k8s.io/v1beta1', 'EndpointSlice', { until: 24 }),
  ...served('discovery.k8s.io/v1', 'EndpointSlice', { from: 21 }),
  ...served('events.k8s.io/v1beta1', 'Event', { until: 24 }),
  ...served('events.k8s.io/v1', 'Event'),
  ...served('node.k8s.io/v1beta1', 'RuntimeClass*', { until: 24 }),
  ...served('node.k8s.io/v1', 'RuntimeClass*'),
  ...served(
    'admissionregistration.k8s.io/v1beta1',
    'MutatingWebhookConfiguration* ValidatingWebhookConfiguration*',
    { until: 21 },
  ),
  ...served(
    'admissionregistration.k8s.io/v1',
    'MutatingWebhookConfiguration* ValidatingWebhookConfiguration*',
  ),
  ...served(
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicy* ValidatingAdmissionPolicyBinding*',
    { from: 30 },
  ),
  ...served('admissionregistration.k8s.io/v1', 'MutatingAdmissionPolicy* MutatingAdmissionPolicyBinding*', {
    from: 36,
  }),
  ...served('apiextensions.k8s.io/v1beta1', 'CustomResourceDefinition*', { until: 21 }),
  ...served('apiextensions.k8s.io/v1', 'CustomResourceDefinition*'),
  ...served('apiregistration.k8s.io/v1beta1', 'APIService*', { until: 21 }),
  ...served('apiregistration.k8s.io/v1', 'APIService*'),
  ...served('certificates.k8s.io/v1beta1', 'CertificateSigningRequest*', { until: 21 }),
  ...served('certificates.k8s.io/v1', 'CertificateSigningRequest*'),
  ...served('certificates.k8s.io/v1', 'ClusterTrustBundle* PodCertificateRequest', { from: 37 }),
  ...served('flowcontrol.apiserver.k8s.io/v1beta1', 'FlowSchema* PriorityLevelConfiguration*', { until: 25 }),
  ...served('flowcontrol.apiserver.k8s.io/v1beta2', 'FlowSchema* PriorityLevelConfiguration*', {
    from: 23,
    until: 28,
  }),
  ...served('flowcontrol.apiserver.k8s.io/v1beta3', 'FlowSchema* PriorityLevelConfiguration*', {
    from: 26,
    until: 31,
  }),
  ...served('flowcontrol.apiserver.k8s.io/v1', 'FlowSchema* PriorityLevelConfiguration*', { from: 29 }),
  ...served('resource.k8s.io/v1', 'DeviceClass* ResourceSlice* ResourceClaim ResourceClaimTemplate', {
    from: 34,
  }),
  ...served('resource.k8s.io/v1', 'DeviceTaintRule*', { from: 37 }),
];
