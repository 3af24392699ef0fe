import { copyFile, stat, writeFile } from 'node:fs/promises';
import { imageNames, type ImageReference } from '../../generators/artifacts/image-reference.ts';
import { ok } from '../../generators/result.ts';
import type {
  Descriptor,
  RegistryDocument,
  PulledManifest,
  RegistryClient,
} from '../../tasks/artifacts/registry.ts';
import { digestOf, sha256Of } from '../../tasks/runtime/sums.ts';
import { imageConfig, type PlainImage } from './docker-archive.ts';

/** The registry of the lab's own images, which are on no server; undefined for every other image. */
export async function ownRegistry(
  images: readonly PlainImage[],
): Promise<(image: ImageReference) => RegistryClient | undefined> {
  const held = new Map<string, BaseImage>();
  for (const image of images) held.set(image.reference, await describeImage(image));
  return (image) => {
    const found = held.get(imageNames(image)[0] ?? '');
    return found === undefined ? undefined : registryOf(found);
  };
}

interface BaseImage {
  readonly pulled: PulledManifest;
  readonly config: RegistryDocument;
  readonly layer: string;
}

async function describeImage(image: PlainImage): Promise<BaseImage> {
  const { layer } = image;
  const sum = await sha256Of(layer);
  const config = document('application/vnd.oci.image.config.v1+json', imageConfig(sum, image));
  const only: Descriptor = {
    mediaType: 'application/vnd.oci.image.layer.v1.tar',
    digest: `sha256:${sum}`,
    size: (await stat(layer)).size,
  };
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  const text = JSON.stringify({ schemaVersion: 2, mediaType, config: config.descriptor, layers: [only] });
  const manifest = document(mediaType, text);
  return { config, layer, pulled: { manifest, top: manifest, blobs: [config.descriptor, only] } };
}

function document(mediaType: string, text: string): RegistryDocument {
  const bytes = Buffer.from(text);
  return { bytes, descriptor: { mediaType, digest: `sha256:${digestOf(bytes)}`, size: bytes.length } };
}

const registryOf = ({ pulled, config, layer }: BaseImage): RegistryClient => ({
  pull: () => Promise.resolve(ok(pulled)),
  fetchBlob: async (_, { digest }, path) => {
    if (digest === config.descriptor.digest) await writeFile(path, config.bytes);
    else await copyFile(layer, path);
    return ok(undefined);
  },
});
