import type { Argument, Cluster } from '../../cluster/cluster.ts';
import { dataFile, type Data } from '../../data-file.ts';
import { sha256 } from '../../digest.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { withArguments } from './api.ts';

/** Where our files lie on a control plane. */
export const configurationFolder = '/etc/kubernetes/playsmith';

const auditFolder = '/var/log/kubernetes/audit';
/** The keys that the API servers encrypt Secrets with. */
export const encryptionFile = `${configurationFolder}/encryption.yaml`;

/** True when the API servers write an audit log. */
export const isAudited = ({ kubernetes }: Cluster): boolean => kubernetes.audit.rules.length > 0;

/** True when Secrets are encrypted in etcd. */
export const isEncrypted = ({ kubernetes }: Cluster): boolean => kubernetes.encryption.keyVariable !== '';

const policy = ({ kubernetes }: Cluster): Data => ({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: kubernetes.audit.rules,
});

/** An API server reads it once: by its digest in the name another policy is another argument, and the old one is there to go back to. */
const policyName = (cluster: Cluster): string =>
  `audit-policy-${sha256(JSON.stringify(policy(cluster))).slice(0, 8)}.yaml`;

const policyPath = (cluster: Cluster): string => `${configurationFolder}/${policyName(cluster)}`;

/** The policy of the audit log, where there is one. */
export const auditPolicy = (cluster: Cluster): readonly RenderedFile[] =>
  isAudited(cluster)
    ? [
        dataFile(cluster.name, `files/kubernetes-settings/${policyName(cluster)}`, {
          why: 'what the API servers write into the audit log',
          data: policy(cluster),
        }),
      ]
    : [];

/** What the API servers are told: names in their certificate, arguments, and the files that those name. */
export function apiServer(cluster: Cluster): Readonly<Record<string, Data>> {
  const { certificateSans, extraArguments } = cluster.kubernetes;
  const given = [...auditArguments(cluster), ...encryptionArguments(cluster), ...extraArguments.apiServer];
  const volumes = [...auditVolumes(cluster), ...encryptionVolumes(cluster)];
  return {
    certSANs: certificateSans,
    ...withArguments(given),
    ...(volumes.length > 0 ? { extraVolumes: volumes } : {}),
  };
}

function auditArguments(cluster: Cluster): readonly Argument[] {
  if (!isAudited(cluster)) return [];
  const { keepDays, keepFiles, megabytes } = cluster.kubernetes.audit;
  return [
    { name: 'audit-policy-file', value: policyPath(cluster) },
    { name: 'audit-log-path', value: `${auditFolder}/audit.log` },
    { name: 'audit-log-maxage', value: String(keepDays) },
    { name: 'audit-log-maxbackup', value: String(keepFiles) },
    { name: 'audit-log-maxsize', value: String(megabytes) },
  ];
}

const encryptionArguments = (cluster: Cluster): readonly Argument[] =>
  isEncrypted(cluster) ? [{ name: 'encryption-provider-config', value: encryptionFile }] : [];

const file = (name: string, path: string): Data => ({
  name,
  hostPath: path,
  mountPath: path,
  readOnly: true,
  pathType: 'File',
});

const auditVolumes = (cluster: Cluster): readonly Data[] =>
  isAudited(cluster)
    ? [
        file('audit-policy', policyPath(cluster)),
        { name: 'audit-log', hostPath: auditFolder, mountPath: auditFolder, pathType: 'DirectoryOrCreate' },
      ]
    : [];

const encryptionVolumes = (cluster: Cluster): readonly Data[] =>
  isEncrypted(cluster) ? [file('encryption', encryptionFile)] : [];
