import { hasNodes } from '../operations/operation.ts';
import type { Cluster, PersistentVolume } from '../cluster/cluster.ts';
import type { AppliedState } from './applied.ts';
import type { Snapshot } from './snapshot.ts';

const phase = 'persistent-volumes';

/**
 * PersistentVolumes that would lead to other files. Kubernetes lets nobody change that, and by the time that it says so the
 * server no longer exports what pods have open.
 */
export function volumesMoved(
  { whole, phases }: Pick<AppliedState, 'whole' | 'phases'>,
  wanted: Pick<Snapshot, 'cluster' | 'phases'>,
): readonly string[] {
  if (phases[phase] === wanted.phases[phase]) return [];
  const before = new Map(volumesOf(whole?.cluster).map((volume) => [volume.name, placeOf(volume)]));
  return volumesOf(wanted.cluster).flatMap((volume) => {
    const [old, now] = [before.get(volume.name), placeOf(volume)];
    return old === undefined || old === now ? [] : [refusal(volume.name, [old, now], wanted.cluster)];
  });
}

function refusal(name: string, [old, now]: readonly [string, string], cluster: Cluster): string {
  const heal = hasNodes(cluster)
    ? `, or, once no claim has it, npx task heal-storage --confirm ${cluster.name} registers it again; files are not moved`
    : '';
  return `storage.persistentVolumes.${name}: it leads to ${old} and would lead to ${now}, which Kubernetes lets nobody change, and pods that have it would lose their files meanwhile: give the new one another name beside it${heal}`;
}

/** What an older Playsmith applied may have none. */
const volumesOf = (cluster: Partial<Cluster> | undefined): readonly PersistentVolume[] =>
  cluster?.storage?.persistentVolumes ?? [];

function placeOf({ manifest }: PersistentVolume): string {
  const { nfs, volumeMode } = manifest['spec'] as {
    readonly nfs?: { readonly server?: string; readonly path?: string };
    readonly volumeMode?: string;
  };
  const mode = volumeMode === undefined || volumeMode === 'Filesystem' ? '' : ` as ${volumeMode}`;
  return `${nfs?.server ?? ''}:${nfs?.path ?? ''}${mode}`;
}
