import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { imageNames, type ImageReference } from '../../generators/artifacts/image-reference.ts';
import type { Checksum, ArtifactFile, ArtifactList } from '../../generators/artifacts/needed.ts';
import type { NodeSystem } from '../../generators/artifacts/packages.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import { takeMember } from '../runtime/archive.ts';
import type { Failure } from '../runtime/failures.ts';
import { download } from './download.ts';
import { askForDocument } from '../runtime/http.ts';
import { imagesOf } from './image-names.ts';
import { fetchImages } from './images.ts';
import type { Mirror } from './mirror.ts';
import { fetchPackages } from './packages.ts';
import { registries, registry, type RegistryClient } from './registry.ts';
import type { RegistryLogin } from './registry-login.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

export interface Preparation {
  readonly needed: ArtifactList;
  readonly packages: { readonly systems: readonly NodeSystem[]; readonly names: readonly string[] };
  /** By the registry's name as it stands in images. */
  readonly logins: ReadonlyMap<string, RegistryLogin>;
  readonly mirror: Mirror;
  /** Images that come from elsewhere than a registry of their name's, if it has any. */
  readonly besides?: (image: ImageReference) => RegistryClient | undefined;
  /** For whoever reads the index. */
  readonly note?: string;
  /** The folder. */
  readonly to: string;
  readonly tell: (text: string) => void;
}

/**
 * Fetches everything that a cluster is installed from into one folder, and seals it. What is there and right is not fetched
 * again, so a call that was cut short goes on where it was. Tells the SHA-256 that a definition pins.
 */
export async function prepare(preparation: Preparation): Promise<Result<string, Failure>> {
  const { needed, packages, to, tell } = preparation;
  const opened = await openWorkshop(to);
  if (!opened.ok) return opened;
  const workshop = opened.value;
  for (const need of needed.files) {
    tell(need.path);
    const fetched = await fetchNeed(need, preparation.mirror, workshop);
    if (!fetched.ok) return fetched;
  }
  for (const system of packages.systems) {
    const fetched = await fetchSystem(system, preparation, workshop);
    if (!fetched.ok) return fetched;
  }
  const images = await fetchAllImages(preparation, workshop);
  if (!images.ok) return images;
  const { note } = preparation;
  return workshop.finish({
    kubernetes: needed.kubernetes,
    architecture: 'amd64',
    images: images.value,
    ...(note === undefined ? {} : { note }),
  });
}

async function fetchNeed(
  { path, address, checksum, member }: ArtifactFile,
  mirror: Mirror,
  workshop: Workshop,
): Promise<Result<void, Failure>> {
  const known = await expectedSum(checksum, mirror);
  if (!known.ok) return known;
  const sha256 = known.value;
  const from = mirror.file(address);
  // A file of its own name is checked as it lies there; what is taken out of an archive has no sum that anybody published.
  return workshop.make(path, sha256 === '' ? address : `${address} (sha256 ${sha256})`, async (target) => {
    if (member === '') return download({ address: from, path: target, sha256 });
    const archive = join(workshop.store, basename(new URL(address).pathname));
    const fetched = await download({ address: from, path: archive, sha256 });
    return fetched.ok ? unpack(archive, member, target) : fetched;
  });
}

async function unpack(archive: string, member: string, target: string): Promise<Result<void, Failure>> {
  try {
    if (!(await takeMember(archive, member, `${target}.partial`)))
      return failed({ kind: 'bundle', message: `${basename(archive)} holds no ${member}`, evidence: '' });
    await rename(`${target}.partial`, target);
    await rm(archive);
    return ok(undefined);
  } catch (error) {
    return failed({ kind: 'file', message: `cannot unpack ${archive}: ${(error as Error).message}` });
  }
}

/** The SHA-256 that a file has to have; empty where nobody says. */
async function expectedSum(checksum: Checksum, mirror: Mirror): Promise<Result<string, Failure>> {
  switch (checksum.kind) {
    case 'pinned':
      return ok(checksum.sha256);
    case 'none':
      return ok('');
    case 'published': {
      const answer = await askForDocument(mirror.file(checksum.address));
      if (!answer.ok) return answer;
      const sha256 = sumIn(answer.value.bytes.toString(), checksum.name);
      return sha256 === undefined
        ? failed({ kind: 'bundle', message: `${checksum.address} holds no checksum`, evidence: '' })
        : ok(sha256.toLowerCase());
    }
  }
}

function sumIn(text: string, name: string | undefined): string | undefined {
  if (name === undefined) return /^[0-9a-f]{64}(?=\s|$)/i.exec(text)?.[0];
  const line = text
    .split('\n')
    .find((each) => /^[0-9a-f]{64} [ *]/i.test(each) && each.slice(66).trim() === name);
  return line?.slice(0, 64);
}

function fetchSystem(
  system: NodeSystem,
  { packages: { names }, mirror, tell }: Preparation,
  workshop: Workshop,
): Promise<Result<void, Failure>> {
  const path = `packages/${system.name}.tar`;
  tell(path);
  const origin = `apt, ${system.suite} at ${system.archives[0]?.address ?? ''}: ${names.join(' ')}`;
  return workshop.make(path, origin, (to) => fetchPackages({ system, names, to, mirror }));
}

/** Names of all images, which are then in the two archives and their lists. */
async function fetchAllImages(
  preparation: Preparation,
  workshop: Workshop,
): Promise<Result<readonly string[], Failure>> {
  const sets = await imagesOf(preparation.needed, workshop.folder);
  if (!sets.ok) return sets;
  const { controlPlane, node, conformance } = sets.value;
  const archives = {
    'control-plane': controlPlane,
    node,
    ...(conformance === undefined ? {} : { conformance }),
  };
  for (const [name, images] of Object.entries(archives)) {
    const fetched = await fetchSet({ name, images }, preparation, workshop);
    if (!fetched.ok) return fetched;
  }
  return ok(Object.values(archives).flat().flatMap(imageNames));
}

async function fetchSet(
  { name, images }: { readonly name: string; readonly images: readonly ImageReference[] },
  { mirror, logins, besides = () => undefined, tell }: Preparation,
  workshop: Workshop,
): Promise<Result<void, Failure>> {
  const names = images.flatMap(imageNames);
  const origin = `registries: ${names.join(' ')}`;
  tell(`images/${name}.tar`);
  const store = join(workshop.store, 'blobs');
  const fetched = await workshop.make(`images/${name}.tar`, origin, (to) =>
    fetchImages(
      {
        images,
        to,
        store,
        tell: (text) => {
          tell(`  ${text}`);
        },
      },
      registries(registry(mirror, logins), besides),
    ),
  );
  if (!fetched.ok) return fetched;
  return workshop.make(`images/${name}.list`, origin, async (target) => {
    await writeFile(target, names.map((each) => `${each}\n`).join(''));
    return ok(undefined);
  });
}
