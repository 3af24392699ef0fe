import { dirname } from 'node:path';
import { neededArtifacts, type ArtifactFile, type ArtifactList } from '../../generators/artifacts/needed.ts';
import { online as onlineOf } from '../../generators/artifacts/online.ts';
import { packagesOf, systems, type SystemName } from '../../generators/artifacts/packages.ts';
import type { Cluster } from '../../generators/cluster/cluster.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import { columns } from '../runtime/columns.ts';
import type { Failure } from '../runtime/failures.ts';
import type { World } from '../runtime/world.ts';
import { readFiles } from '../steps/definition/files.ts';
import { load, type DefinitionFile } from '../steps/definition/load.ts';
import type { Mirror } from './mirror.ts';

export interface Needs {
  readonly loaded: DefinitionFile;
  /** The cluster as it would be installed online. */
  readonly online: Cluster;
  readonly needed: ArtifactList;
}

/** Loads a definition and finds out what its cluster is installed from. */
export async function needsOf(file: string, world: World): Promise<Result<Needs, Failure>> {
  const loaded = await load(file, world);
  if (!loaded.ok) return loaded;
  const { text, file: path } = loaded.value;
  const online = onlineOf(text, file, await readFiles(text, dirname(path)));
  if (!online.ok) throw new Error('a definition that was loaded has problems');
  return online.value.kubernetes.installer === 'kubeadm'
    ? ok({ loaded: loaded.value, online: online.value, needed: neededArtifacts(online.value) })
    : failed({
        kind: 'usage',
        message:
          'the definition has no installer.kubeadm: somebody else installs Kubernetes, and needs no artifacts',
      });
}

/** What is needed, and from where, for a person. */
export function describeNeeds(
  { online, needed: { files, images, kubernetes, plugin, conformance } }: Needs,
  { mirror, systems: names }: { readonly mirror: Mirror; readonly systems: readonly SystemName[] },
): string {
  const packages = names.map((name) => [
    `packages/${name}.tar`,
    systems[name].archives.map(
      ({ address, pocket }) => `${mirror.file(address)} ${systems[name].suite}${pocket}`,
    )[0] ?? '',
    'signed by the archive',
  ]);
  const rows = files.map((need) => [need.path, mirror.file(need.address), judgedBy(need)]);
  const source =
    plugin === 'none' || plugin === 'static-routes'
      ? ''
      : `, and those that ${plugin} ${online.podNetwork.version} names`;
  return [
    columns([['file', 'from', 'checked by'], ...rows, ...packages]),
    '',
    `packages: ${packagesOf(online).join(' ')}, and what they depend on`,
    `images: those that kubeadm ${kubernetes} names, ${images.join(', ')}${source}${conformance === true ? ', and those that the conformance tests name' : ''}`,
  ].join('\n');
}

function judgedBy({ checksum }: ArtifactFile): string {
  switch (checksum.kind) {
    case 'pinned':
      return 'the definition';
    case 'published':
      return checksum.address.slice(checksum.address.lastIndexOf('.'));
    case 'none':
      return 'nothing: what is fetched is what is pinned';
  }
}
