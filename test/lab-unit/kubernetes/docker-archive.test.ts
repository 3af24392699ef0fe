import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dockerArchive, imageConfig, tarArgv } from '../../../lab/kubernetes/docker-archive.ts';
import { must } from '../../support/hosts/lab.ts';

describe('an archive of images', () => {
  let folder: string;
  const sha256 = (text: Buffer | string): string => createHash('sha256').update(text).digest('hex');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'images-'));
    await writeFile(join(folder, 'file'), 'content');
    const [tar, ...words] = [...tarArgv(join(folder, 'layer.tar')), '-C', folder, 'file'];
    execFileSync(tar, words);
  });

  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  const pack = async (name: string): Promise<string> => {
    const out = join(folder, name);
    const image = { reference: 'example/a:1', entrypoint: ['/a'], layer: join(folder, 'layer.tar') };
    must(await dockerArchive([image], { scratch: join(folder, `scratch-${name}`), out }));
    return out;
  };

  const member = (archive: string, path: string): string =>
    execFileSync('tar', ['-xOf', archive, `./${path}`], { encoding: 'utf8' });

  it('has the same bytes whenever it is packed', async () => {
    const [first, second] = [await readFile(await pack('a.tar')), await readFile(await pack('b.tar'))];
    expect(sha256(first)).toBe(sha256(second));
  });

  it('names each image by the digest of its configuration, and the layer by its own', async () => {
    const archive = await pack('c.tar');
    const [image] = JSON.parse(member(archive, 'manifest.json')) as [
      { Config: string; RepoTags: string[]; Layers: string[] },
    ];
    const layer = sha256(await readFile(join(folder, 'layer.tar')));
    expect(image).toEqual({
      Config: `${sha256(imageConfig(layer, { entrypoint: ['/a'] }))}.json`,
      RepoTags: ['example/a:1'],
      Layers: [`${layer}/layer.tar`],
    });
    expect(member(archive, image.Config)).toBe(imageConfig(layer, { entrypoint: ['/a'] }));
  });
});
