import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { imageNames, type ImageReference } from '../../generators/artifacts/image-reference.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import { writeTar, type ArchiveMember } from '../runtime/archive.ts';
import type { Failure } from '../runtime/failures.ts';
import { diskReason } from '../runtime/folders.ts';
import type { Descriptor, PulledManifest, RegistryClient } from './registry.ts';

export interface ImagesWish {
  readonly images: readonly ImageReference[];
  /** The archive to write. */
  readonly to: string;
  /** Folder for blobs until they are in an archive; what lies there from an earlier try is not fetched again. */
  readonly store: string;
  readonly tell: (text: string) => void;
}

/**
 * Images of a registry → one archive in the OCI image layout, which `ctr images import` reads. Layers stay as they are, so
 * that every digest is the one that the registry has; the same images give the same bytes.
 */
export async function fetchImages(
  { images, to, store, tell }: ImagesWish,
  registry: RegistryClient,
): Promise<Result<void, Failure>> {
  const pulled: PulledImage[] = [];
  for (const image of images) {
    const found = await registry.pull(image);
    if (!found.ok) return found;
    const bytes = found.value.blobs.reduce((sum, { size }) => sum + size, 0);
    tell(`${imageNames(image)[0] ?? ''} (${(bytes / 1e6).toFixed(1)} MB)`);
    const fetched = await fetchBlobs({ image, blobs: found.value.blobs, store }, registry);
    if (!fetched.ok) return fetched;
    pulled.push({ ...found.value, image });
  }
  try {
    await writeTar(`${to}.partial`, layout(pulled, store));
    await rename(`${to}.partial`, to);
    return ok(undefined);
  } catch (error) {
    return failed({ kind: 'file', message: `cannot write ${to}: ${diskReason(error)}` });
  }
}

interface PulledImage extends PulledManifest {
  readonly image: ImageReference;
}

async function fetchBlobs(
  {
    image,
    blobs,
    store,
  }: { readonly image: ImageReference; readonly blobs: readonly Descriptor[]; readonly store: string },
  registry: RegistryClient,
): Promise<Result<void, Failure>> {
  for (const blob of blobs) {
    const path = blobPath(store, blob.digest);
    // A blob gets its name only when it is whole and checked.
    if ((await stat(path).catch(() => undefined))?.size === blob.size) continue;
    const fetched = await registry.fetchBlob(image, blob, path);
    if (!fetched.ok) return fetched;
  }
  return ok(undefined);
}

const blobPath = (store: string, digest: string): string => join(store, digest.replace(':', '-'));

/** https://github.com/opencontainers/image-spec/blob/main/image-layout.md, with containerd's name for each image. */
function layout(pulled: readonly PulledImage[], store: string): readonly ArchiveMember[] {
  const index = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: pulled.flatMap(entries),
  };
  const blobs = new Map<string, ArchiveMember['content']>();
  for (const { manifest, top, image, blobs: each } of pulled) {
    for (const { descriptor, bytes } of image.digest === '' ? [manifest] : [manifest, top])
      blobs.set(descriptor.digest, bytes);
    for (const { digest } of each) blobs.set(digest, { file: blobPath(store, digest) });
  }
  return [
    { path: 'oci-layout', content: Buffer.from('{"imageLayoutVersion":"1.0.0"}') },
    { path: 'index.json', content: Buffer.from(JSON.stringify(index)) },
    ...[...blobs]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([digest, content]) => ({ path: `blobs/${digest.replace(':', '/')}`, content })),
  ];
}

/** A pod that asks for a digest is given what has it, mostly the index of all processors; the others' manifests stay away. */
function entries({ manifest, top, image }: PulledImage): readonly object[] {
  return imageNames(image).map((name) => {
    const isDigest = name.includes('@');
    return {
      ...(isDigest ? top : manifest).descriptor,
      ...(isDigest && top !== manifest ? {} : { platform: { architecture: 'amd64', os: 'linux' } }),
      annotations: {
        'io.containerd.image.name': name,
        ...(isDigest ? {} : { 'org.opencontainers.image.ref.name': image.tag }),
      },
    };
  });
}
