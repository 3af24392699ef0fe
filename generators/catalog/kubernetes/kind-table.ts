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
const rowsOf = (
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
const beforeFirst = { from: 0, until: 15 };

/**
 * Kinds that can be applied, and when: from the deprecation guide and the API references of Kubernetes. The newest version
 * of a kind comes last, since it is what is proposed.
 */
export const kindTable: readonly KindRow[] = [
  ...rowsOf('v1', 'ConfigMap Endpoints Event LimitRange PersistentVolumeClaim Pod PodTemplate'),
  ...rowsOf('v1', 'ReplicationController ResourceQuota Secret Service ServiceAccount'),
  ...rowsOf('v1', 'Namespace* Node* PersistentVolume*'),
  ...rowsOf(
    'extensions/v1beta1',
    'Deployment DaemonSet ReplicaSet NetworkPolicy PodSecurityPolicy*',
    beforeFirst,
  ),
  ...rowsOf('extensions/v1beta1', 'Ingress', { until: 21 }),
  ...rowsOf('apps/v1beta1', 'Deployment StatefulSet ControllerRevision', beforeFirst),
  ...rowsOf('apps/v1beta2', 'Deployment StatefulSet DaemonSet ReplicaSet ControllerRevision', beforeFirst),
  ...rowsOf('apps/v1', 'Deployment StatefulSet DaemonSet ReplicaSet ControllerRevision'),
  ...rowsOf('batch/v1beta1', 'CronJob', { until: 24 }),
  ...rowsOf('batch/v1', 'Job'),
  ...rowsOf('batch/v1', 'CronJob', { from: 21 }),
  ...rowsOf('autoscaling/v2beta1', 'HorizontalPodAutoscaler', { until: 24 }),
  ...rowsOf('autoscaling/v2beta2', 'HorizontalPodAutoscaler', { until: 25 }),
  ...rowsOf('autoscaling/v1', 'HorizontalPodAutoscaler'),
  ...rowsOf('autoscaling/v2', 'HorizontalPodAutoscaler', { from: 23 }),
  ...rowsOf('policy/v1beta1', 'PodDisruptionBudget PodSecurityPolicy*', { until: 24 }),
  ...rowsOf('policy/v1', 'PodDisruptionBudget', { from: 21 }),
  ...rowsOf('networking.k8s.io/v1beta1', 'Ingress IngressClass*', { until: 21 }),
  ...rowsOf('networking.k8s.io/v1', 'Ingress IngressClass* NetworkPolicy'),
  ...rowsOf('networking.k8s.io/v1beta1', 'IPAddress* ServiceCIDR*', { from: 31, until: 36 }),
  ...rowsOf('networking.k8s.io/v1', 'IPAddress* ServiceCIDR*', { from: 33 }),
  ...rowsOf('rbac.authorization.k8s.io/v1beta1', 'Role RoleBinding ClusterRole* ClusterRoleBinding*', {
    until: 21,
  }),
  ...rowsOf('rbac.authorization.k8s.io/v1', 'Role RoleBinding ClusterRole* ClusterRoleBinding*'),
  ...rowsOf('storage.k8s.io/v1beta1', 'CSIDriver* CSINode* StorageClass* VolumeAttachment*', { until: 21 }),
  ...rowsOf('storage.k8s.io/v1beta1', 'CSIStorageCapacity', { from: 21, until: 26 }),
  ...rowsOf('storage.k8s.io/v1', 'CSIDriver* CSINode* StorageClass* VolumeAttachment*'),
  ...rowsOf('storage.k8s.io/v1', 'CSIStorageCapacity', { from: 24 }),
  ...rowsOf('storage.k8s.io/v1', 'VolumeAttributesClass*', { from: 34 }),
  ...rowsOf('storagemigration.k8s.io/v1', 'StorageVersionMigration*', { from: 37 }),
  ...rowsOf('scheduling.k8s.io/v1beta1', 'PriorityClass*', { until: 21 }),
  ...rowsOf('scheduling.k8s.io/v1', 'PriorityClass*'),
  ...rowsOf('coordination.k8s.io/v1beta1', 'Lease', { until: 21 }),
  ...rowsOf('coordination.k8s.io/v1', 'Lease'),
  ...rowsOf('discovery.k8s.io/v1beta1', 'EndpointSlice', { until: 24 }),
  ...rowsOf('discovery.k8s.io/v1', 'EndpointSlice', { from: 21 }),
  ...rowsOf('events.k8s.io/v1beta1', 'Event', { until: 24 }),
  ...rowsOf('events.k8s.io/v1', 'Event'),
  ...rowsOf('node.k8s.io/v1beta1', 'RuntimeClass*', { until: 24 }),
  ...rowsOf('node.k8s.io/v1', 'RuntimeClass*'),
  ...rowsOf(
    'admissionregistration.k8s.io/v1beta1',
    'MutatingWebhookConfiguration* ValidatingWebhookConfiguration*',
    { until: 21 },
  ),
  ...rowsOf(
    'admissionregistration.k8s.io/v1',
    'MutatingWebhookConfiguration* ValidatingWebhookConfiguration*',
  ),
  ...rowsOf(
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicy* ValidatingAdmissionPolicyBinding*',
    { from: 30 },
  ),
  ...rowsOf('admissionregistration.k8s.io/v1', 'MutatingAdmissionPolicy* MutatingAdmissionPolicyBinding*', {
    from: 36,
  }),
  ...rowsOf('apiextensions.k8s.io/v1beta1', 'CustomResourceDefinition*', { until: 21 }),
  ...rowsOf('apiextensions.k8s.io/v1', 'CustomResourceDefinition*'),
  ...rowsOf('apiregistration.k8s.io/v1beta1', 'APIService*', { until: 21 }),
  ...rowsOf('apiregistration.k8s.io/v1', 'APIService*'),
  ...rowsOf('certificates.k8s.io/v1beta1', 'CertificateSigningRequest*', { until: 21 }),
  ...rowsOf('certificates.k8s.io/v1', 'CertificateSigningRequest*'),
  ...rowsOf('certificates.k8s.io/v1', 'ClusterTrustBundle* PodCertificateRequest', { from: 37 }),
  ...rowsOf('flowcontrol.apiserver.k8s.io/v1beta1', 'FlowSchema* PriorityLevelConfiguration*', { until: 25 }),
  ...rowsOf('flowcontrol.apiserver.k8s.io/v1beta2', 'FlowSchema* PriorityLevelConfiguration*', {
    from: 23,
    until: 28,
  }),
  ...rowsOf('flowcontrol.apiserver.k8s.io/v1beta3', 'FlowSchema* PriorityLevelConfiguration*', {
    from: 26,
    until: 31,
  }),
  ...rowsOf('flowcontrol.apiserver.k8s.io/v1', 'FlowSchema* PriorityLevelConfiguration*', { from: 29 }),
  ...rowsOf('resource.k8s.io/v1', 'DeviceClass* ResourceSlice* ResourceClaim ResourceClaimTemplate', {
    from: 34,
  }),
  ...rowsOf('resource.k8s.io/v1', 'DeviceTaintRule*', { from: 37 }),
];
