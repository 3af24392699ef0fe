import type { Cluster } from '../../cluster/cluster.ts';
import { renderedFile, type Phase } from '../phase.ts';
import { isOffline } from '../offline.ts';
import { isProxied } from '../proxy-environment.ts';
import { copiesView } from './snapshot-copies.ts';

/** A snapshot of etcd is everything that the cluster knows, its Secrets too. */
export const etcdBackup: Phase = {
  name: 'etcd-backup',
  what: 'Keep a verified snapshot of etcd on the Ansible server, and delete the oldest beyond the number to keep',
  hosts: 'kube_control_plane',
  tags: [{ name: 'etcd-backup', what: 'everything' }],
  applies: ({ kubernetes }) => kubernetes.installer === 'kubeadm',
  run: 'asked',
  parameters: [
    {
      variable: 'etcd_backup_pki',
      what: 'also keep the keys of the certificate authorities, without which a cluster whose control planes are all lost cannot be restored; whoever reads them rules the cluster',
      required: false,
      pattern: 'true|false',
      example: 'true',
    },
  ],
  render: (cluster, fill) => [
    renderedFile('etcd-backup.yml', fill('etcd-backup/etcd-backup.yml.hbs', view(cluster))),
  ],
};

function view(cluster: Cluster): Readonly<Record<string, unknown>> {
  const { keep, encryptTo = [], copies = [] } = cluster.kubernetes.backup;
  return {
    keep,
    encrypted: encryptTo.length > 0,
    recipients: encryptTo,
    copied: copies.length > 0,
    ...copiesView(cluster),
    offline: isOffline(cluster),
    proxied: isProxied(cluster),
  };
}
