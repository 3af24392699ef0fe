import type { Backup, SecretRun, SecretUse, SnapshotCopy } from '../cluster/cluster.ts';
import { defaults } from '../definition/defaults.ts';
import type { BackupDefinition } from '../definition/schema/kubernetes/backup.ts';
import { withoutComment } from '../definition/schema/machines/host-key.ts';
import { backupVariable, secretVariables } from './secret-names.ts';

const { backup: own } = defaults.kubernetes;

/** What becomes of snapshots of etcd. */
export const resolveBackup = (written: BackupDefinition = {}): Backup => ({
  keep: written.keep ?? own.keep,
  ...(written.encryptTo ? { encryptTo: written.encryptTo.map(withoutComment) } : {}),
  ...(written.decryptWith ? { identityVariable: secretVariables.backupIdentity } : {}),
  ...(written.copies ? { copies: written.copies.map(copyOf) } : {}),
});

type CopyDefinition = NonNullable<BackupDefinition['copies']>[number];

function copyOf({ name, keep = own.keepCopies, sftp, s3 }: CopyDefinition): SnapshotCopy {
  if (sftp) {
    const { hostKey, port = 22, ...place } = sftp;
    return { name, keep, place: { kind: 'sftp', ...place, port, hostKey: withoutComment(hostKey) } };
  }
  if (!s3) throw new TypeError('a copy without a place passed the reader');
  return {
    name,
    keep,
    place: {
      kind: 's3',
      endpoint: s3.endpoint.replace(/\/$/, ''),
      region: s3.region ?? own.region,
      bucket: s3.bucket,
      prefix: s3.prefix ?? '',
      accessKeyIdVariable: backupVariable(name, 'access_key_id'),
      secretAccessKeyVariable: backupVariable(name, 'secret_access_key'),
      ca: s3.ca ?? '',
    },
  };
}

/** Runs that need the keys of copies, and those that need the key to decrypt. */
const ofCopies: readonly SecretRun[] = [
  { playbook: 'etcd-backup' },
  { playbook: 'etcd-restore', given: 'etcd_restore_from' },
  { playbook: 'restore', given: 'etcd_restore_from' },
];
const ofRestore: readonly SecretRun[] = [{ playbook: 'etcd-restore' }, { playbook: 'restore' }];

interface BackupUse extends Pick<SecretUse, 'variable' | 'path' | 'runs'> {
  readonly source: BackupDefinition['decryptWith'];
}

/** The secrets that it asks for. */
export function backupUses(written: BackupDefinition = {}): readonly BackupUse[] {
  const path = 'installer.kubeadm.backup';
  return [
    {
      variable: secretVariables.backupIdentity,
      path: `${path}.decryptWith`,
      source: written.decryptWith,
      runs: ofRestore,
    },
    ...(written.copies ?? []).flatMap(({ name, s3 }) => [
      {
        variable: backupVariable(name, 'access_key_id'),
        path: `${path}.copies.${name}.s3.accessKeyId`,
        source: s3?.accessKeyId,
        runs: ofCopies,
      },
      {
        variable: backupVariable(name, 'secret_access_key'),
        path: `${path}.copies.${name}.s3.secretAccessKey`,
        source: s3?.secretAccessKey,
        runs: ofCopies,
      },
    ]),
  ];
}
