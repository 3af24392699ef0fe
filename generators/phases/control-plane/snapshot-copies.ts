import type { Cluster, SnapshotCopy } from '../../cluster/cluster.ts';

/** What templates are told of the copies of snapshots. */
export const copiesView = ({ name, uid = '', kubernetes: { backup } }: Cluster): CopiesView => ({
  // Two clusters of one name have a folder each; names have no dot.
  copyFolder: uid === '' ? name : `${name}.${uid}`,
  copies: (backup.copies ?? []).map(viewOf),
});

interface CopiesView {
  readonly copyFolder: string;
  readonly copies: readonly Readonly<Record<string, unknown>>[];
}

const viewOf = ({ name, keep, place }: SnapshotCopy): Readonly<Record<string, unknown>> => ({
  name,
  keep,
  sftp: place.kind === 'sftp' ? place : false,
  s3: place.kind === 's3' ? place : false,
});
