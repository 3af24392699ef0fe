import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../../generators/result.ts';
import { sha256Of } from '../../tasks/runtime/sums.ts';
import { program } from '../../tasks/runtime/program.ts';
import { programFailure, type LabFailure } from '../machine/lab-failure.ts';

/** An image of one layer, which is an uncompressed tar file. */
export interface PlainImage {
  readonly reference: string;
  readonly entrypoint: readonly string[];
  readonly command?: readonly string[];
  readonly layer: string;
}

/** Packs images into one archive as `docker save` writes it and containerd imports it; the same images give the same bytes. */
export async function dockerArchive(
  images: readonly PlainImage[],
  files: { readonly scratch: string; readonly out: string },
): Promise<Result<void, LabFailure>> {
  await mkdir(files.scratch, { recursive: true });
  const manifest = [];
  for (const image of images) manifest.push(await place(image, files.scratch));
  await writeFile(join(files.scratch, 'manifest.json'), JSON.stringify(manifest));
  const packed = await program([...tarArgv(files.out), '-C', files.scratch, '.'], { timeout: 600 });
  await rm(files.scratch, { recursive: true });
  return packed.ok ? ok(undefined) : programFailure('Packing images', packed.failure);
}

/** The words of a tar that depends on nothing but names, content and who may execute it. */
export const tarArgv = (out: string): readonly string[] => [
  ...['tar', '--create', '--file', out, '--format=gnu', '--sort=name', '--mtime=@0'],
  ...['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX', '--hard-dereference'],
];

/** What an image's configuration says, as text: its digest is the image's identity. */
export const imageConfig = (
  layer: string,
  { entrypoint, command = [] }: Pick<PlainImage, 'entrypoint' | 'command'>,
): string =>
  JSON.stringify({
    architecture: 'amd64',
    os: 'linux',
    created: '2021-01-13T13:20:00Z',
    config: {
      Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
      ...(entrypoint.length > 0 ? { Entrypoint: entrypoint } : {}),
      ...(command.length > 0 ? { Cmd: command } : {}),
      WorkingDir: '/',
    },
    rootfs: { type: 'layers', diff_ids: [`sha256:${layer}`] },
    history: [{ created: '2021-01-13T13:20:00Z', created_by: 'the lab of Playsmith' }],
  });

async function place(
  image: PlainImage,
  scratch: string,
): Promise<{ readonly Config: string; readonly RepoTags: string[]; readonly Layers: string[] }> {
  const { reference, layer } = image;
  const digest = await sha256Of(layer);
  const config = imageConfig(digest, image);
  const name = createHash('sha256').update(config).digest('hex');
  // Two images may be of the same layer.
  if (!existsSync(join(scratch, digest))) {
    await mkdir(join(scratch, digest));
    await link(layer, join(scratch, digest, 'layer.tar'));
  }
  await writeFile(join(scratch, `${name}.json`), config);
  return { Config: `${name}.json`, RepoTags: [reference], Layers: [`${digest}/layer.tar`] };
}
