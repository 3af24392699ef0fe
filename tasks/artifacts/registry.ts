import type { ImageReference } from '../../generators/artifacts/image-reference.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import { list, map, optional, text, type ShapeTest } from '../../generators/shape.ts';
import type { Failure } from '../runtime/failures.ts';
import { download } from './download.ts';
import { askForDocument, jsonIn } from '../runtime/http.ts';
import type { Mirror } from './mirror.ts';
import { authorize, headersOf, manifestTypes, type RegistryLogin, type LoginWay } from './registry-login.ts';
import { digestOf } from '../runtime/sums.ts';

/** A blob of an image, or its manifest, as an OCI image index names it. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

export interface RegistryDocument {
  readonly descriptor: Descriptor;
  /** As the registry gave it: its digest is that of these bytes. */
  readonly bytes: Buffer;
}

export interface PulledManifest {
  readonly manifest: RegistryDocument;
  /** What was asked for: the manifest itself, or the index of all processors that names it. */
  readonly top: RegistryDocument;
  readonly blobs: readonly Descriptor[];
}

/** A registry over its HTTP API, for linux/amd64. */
export interface RegistryClient {
  readonly pull: (image: ImageReference) => Promise<Result<PulledManifest, Failure>>;
  /** Brings a blob to a path, checked against its digest. */
  readonly fetchBlob: (
    image: ImageReference,
    blob: Descriptor,
    path: string,
  ) => Promise<Result<void, Failure>>;
}

/** Where images come from; `logins` by the registry's name as it stands in images. */
export function registry(mirror: Mirror, logins: ReadonlyMap<string, RegistryLogin>): RegistryClient {
  const tokens = new Map<string, Result<string, Failure>>();
  const open = async (image: ImageReference): Promise<Result<LoginWay, Failure>> => {
    const { api, prefix } = mirror.registry(image.registry);
    const way = { base: `${api}/v2/${prefix}${image.repository}`, ca: logins.get(image.registry)?.ca ?? '' };
    const known =
      tokens.get(way.base) ??
      (await authorize({ ...way, wanted: wantedOf(image) }, logins.get(image.registry)));
    tokens.set(way.base, known);
    return known.ok ? ok({ ...way, authorization: known.value }) : known;
  };
  return {
    pull: async (image) => {
      const way = await open(image);
      return way.ok ? pull(way.value, image) : way;
    },
    fetchBlob: async (image, { digest, size }, path) => {
      const way = await open(image);
      if (!way.ok) return way;
      const { base, ca, authorization } = way.value;
      const sha256 = digest.replace(/^sha256:/, '');
      return download({
        address: `${base}/blobs/${digest}`,
        path,
        sha256,
        most: size,
        ca,
        headers: headersOf(authorization),
      });
    },
  };
}

/** One registry, but for the images that another one has. */
export const registries = (
  own: RegistryClient,
  besides: (image: ImageReference) => RegistryClient | undefined,
): RegistryClient => ({
  pull: (image) => (besides(image) ?? own).pull(image),
  fetchBlob: (image, blob, path) => (besides(image) ?? own).fetchBlob(image, blob, path),
});

const wantedOf = ({ tag, digest }: ImageReference): string => (digest === '' ? tag : digest);

async function pull(way: LoginWay, image: ImageReference): Promise<Result<PulledManifest, Failure>> {
  const first = await manifest(way, wantedOf(image));
  if (!first.ok) return first;
  const { manifests } = first.value.said;
  if (manifests === undefined) return pulledManifest(first.value, first.value);
  const ours = manifests.find(
    ({ platform }) => platform?.os === 'linux' && platform.architecture === 'amd64',
  );
  if (ours === undefined) return failed(unusable(way, 'it has no image for linux/amd64'));
  if (!isDigest(ours.digest)) return failed(unusable(way, `it has no digest of SHA-256: ${ours.digest}`));
  const second = await manifest(way, ours.digest);
  return second.ok ? pulledManifest(second.value, first.value) : second;
}

interface ImageManifest {
  readonly mediaType?: string;
  readonly config?: Descriptor;
  readonly layers?: readonly Descriptor[];
  readonly manifests?: readonly {
    readonly digest: string;
    readonly platform?: { readonly os: string; readonly architecture: string };
  }[];
}

/** Digests become names of files. */
const isDigest: ShapeTest = (value) => typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value);
const isSize: ShapeTest = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const descriptor = { mediaType: text, digest: isDigest, size: isSize };
const platform = optional(map({ os: text, architecture: text }));

/** As far as it is read. */
const isManifest = map({
  mediaType: optional(text),
  config: optional(map(descriptor)),
  layers: optional(list(map(descriptor))),
  manifests: optional(list(map({ digest: text, platform }))),
});

interface ManifestRead extends RegistryDocument {
  readonly said: ImageManifest;
}

function pulledManifest(
  { said: { config, layers }, ...read }: ManifestRead,
  { bytes, descriptor: ofTop }: ManifestRead,
): Result<PulledManifest, Failure> {
  return config === undefined || layers === undefined
    ? failed(unusable({ base: read.descriptor.digest }, 'it is no manifest that we know'))
    : ok({ manifest: read, top: { bytes, descriptor: ofTop }, blobs: [config, ...layers] });
}

async function manifest(
  { base, ca, authorization }: LoginWay,
  wanted: string,
): Promise<Result<ManifestRead, Failure>> {
  const address = `${base}/manifests/${wanted}`;
  const headers = { ...headersOf(authorization), accept: manifestTypes };
  const answer = await askForDocument(address, { headers, ca });
  if (!answer.ok) return answer;
  const { bytes } = answer.value;
  const digest = `sha256:${digestOf(bytes)}`;
  if (wanted.startsWith('sha256:') && wanted !== digest)
    return failed(unusable({ base: address }, `what came has the digest ${digest}`));
  const said = jsonIn(bytes);
  if (!isManifest(said)) return failed(unusable({ base: address }, 'what came is no manifest of an image'));
  const { mediaType } = said as ImageManifest;
  const [type = ''] = (answer.value.headers.get('content-type') ?? '').split(';');
  return ok({
    bytes,
    said: said as ImageManifest,
    descriptor: { mediaType: mediaType ?? type, digest, size: bytes.length },
  });
}

const unusable = ({ base }: Pick<LoginWay, 'base'>, why: string): Failure => ({
  kind: 'bundle',
  message: `the image at ${base} cannot be taken: ${why}`,
  evidence: '',
});
