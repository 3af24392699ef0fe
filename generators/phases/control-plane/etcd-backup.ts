import { rendered, type Phase } from '../phase.ts';

/** A snapshot of etcd is everything that the cluster knows, its Secrets too. */
export const etcdBackup: Phase = {
  name: 'etcd-backup',
  what: 'Keep a verified snapshot of etcd on the Ansible server, and delete the oldest beyond those that are kept',
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
    rendered(
      'etcd-backup.yml',
      fill('etcd-backup/etcd-backup.yml.hbs', { keep: cluster.kubernetes.backup.keep }),
    ),
  ],
};
