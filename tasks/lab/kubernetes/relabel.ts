import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Result } from '../../../generators/result.ts';
import { seal } from '../../artifacts/seal.ts';
import type { Failure } from '../../runtime/failures.ts';
import { labFailure } from '../lab-failure.ts';
import { dockerArchive, type PlainImage } from './docker-archive.ts';
import type { LabArtifacts } from './lab-artifacts.ts';
import { images } from './recipe.ts';
import { inOrder, running, type Build } from './step.ts';

/**
 * Artifacts of another version, for tests of upgrades: the same programs under another version's name. The name is
 * replaced in the built programs, which is what linking them again with another name would give, in a second instead
 * of minutes; so both names must be of the same length.
 */
export async function relabel(from: LabArtifacts, build: Build): Promise<Result<unknown, Failure>> {
  const { version, out, tell } = build;
  if (version.length !== from.version.length)
    return labFailure(
      `The lab cannot name its Kubernetes ${version}`,
      `Use one as long as ${from.version}, such as 1.20.5`,
    );
  tell(`Making Kubernetes ${version} of the code of ${from.version} (about 10 seconds)`);
  await cp(from.folder, out, { recursive: true });
  const rename = [`v${from.version}`, `v${version}`] as const;
  for (const name of ['kubeadm', 'kubelet', 'kubectl']) await replaceIn(join(out, 'binaries', name), rename);
  for (const set of ['control-plane', 'node']) {
    const packed = await relabelImages(set, build, rename);
    if (!packed.ok) return packed;
  }
  return seal(out, {
    kubernetes: version,
    architecture: 'amd64',
    images: images(version).map(({ reference }) => reference),
    origins: new Map(),
    note: `For tests of upgrades: the code of ${from.version} of Playsmith's lab under the name ${version}. No release of the Kubernetes project.`,
  });
}

type Rename = readonly [from: string, to: string];

interface ManifestEntry {
  readonly Config: string;
  readonly RepoTags: readonly string[];
  readonly Layers: readonly string[];
}

async function relabelImages(
  set: string,
  { folder, out }: Build,
  rename: Rename,
): Promise<Result<unknown, Failure>> {
  const tar = join(out, `images/${set}.tar`);
  const open = join(folder, `open-${set}`);
  await mkdir(open, { recursive: true });
  const unpacked = await inOrder([running('Unpacking images', ['tar', '-xf', tar, '-C', open])]);
  if (!unpacked.ok) return unpacked;
  const manifest = JSON.parse(
    await readFile(join(open, 'manifest.json'), 'utf8'),
  ) as readonly ManifestEntry[];
  const renamed: PlainImage[] = [];
  for (const entry of manifest) renamed.push(await relabelImage(entry, open, rename));
  await writeFile(join(out, `images/${set}.list`), renamed.map(({ reference }) => `${reference}\n`).join(''));
  return dockerArchive(renamed, { scratch: join(folder, `archive-${set}`), out: tar });
}

/** A tar's checksums cover its names, not its content, so the layer stays a tar. */
async function relabelImage(entry: ManifestEntry, open: string, [from, to]: Rename): Promise<PlainImage> {
  const { config } = JSON.parse(await readFile(join(open, entry.Config), 'utf8')) as {
    readonly config: { readonly Entrypoint?: readonly string[] };
  };
  const reference = entry.RepoTags[0] ?? '';
  const layer = join(open, entry.Layers[0] ?? '');
  const entrypoint = config.Entrypoint ?? [];
  if (!reference.endsWith(`:${from}`)) return { reference, entrypoint, layer };
  await replaceIn(layer, [from, to]);
  return { reference: reference.slice(0, -from.length) + to, entrypoint, layer };
}

async function replaceIn(file: string, [from, to]: Rename): Promise<void> {
  const bytes = await readFile(file);
  for (let at = bytes.indexOf(from); at !== -1; at = bytes.indexOf(from, at + to.length)) bytes.write(to, at);
  await writeFile(file, bytes);
}
