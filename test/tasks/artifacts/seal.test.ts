import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seal, type FolderContents, type Index } from '../../../tasks/artifacts/seal.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'playsmith-seal-'));
  mkdirSync(join(folder, 'binaries'));
  mkdirSync(join(folder, 'images'));
  writeFileSync(join(folder, 'binaries/kubeadm'), 'kubeadm\n');
  writeFileSync(join(folder, 'images/node.list'), 'lab/echo:1\n');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const about: FolderContents = {
  kubernetes: '1.20.2',
  architecture: 'amd64',
  images: ['lab/echo:1', 'k8s.gcr.io/pause:3.2'],
  origins: new Map([['binaries/kubeadm', 'https://dl.k8s.io/kubeadm']]),
  note: 'for a test',
};

const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('sealing a folder of artifacts', () => {
  test('gives the digest of SHA256SUMS, which sha256sum itself accepts', async () => {
    expect(await seal(folder, about)).toEqual({ ok: true, value: digest(read('SHA256SUMS')) });
    const said = execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(said).toBe('binaries/kubeadm: OK\nimages/node.list: OK\nindex.json: OK\n');
  });

  test('writes an index of every file with its size, digest and origin', async () => {
    await seal(folder, about);
    expect(JSON.parse(read('index.json'))).toEqual({
      apiVersion: 'playsmith/v1',
      kind: 'Artifacts',
      kubernetes: '1.20.2',
      architecture: 'amd64',
      images: ['k8s.gcr.io/pause:3.2', 'lab/echo:1'],
      files: [
        {
          path: 'binaries/kubeadm',
          size: 8,
          sha256: digest('kubeadm\n'),
          origin: 'https://dl.k8s.io/kubeadm',
        },
        { path: 'images/node.list', size: 11, sha256: digest('lab/echo:1\n'), origin: '' },
      ],
      note: 'for a test',
    } satisfies Index);
  });

  test('gives the same bytes when it is done again', async () => {
    const first = await seal(folder, about);
    expect(await seal(folder, about)).toEqual(first);
  });

  test('refuses a link, since what it leads to may change', async () => {
    symlinkSync('/etc/hostname', join(folder, 'binaries/kubectl'));
    expect(await seal(folder, about)).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('binaries/kubectl is no regular file') as string },
    });
  });

  test('refuses a name that sha256sum would not write as it is', async () => {
    writeFileSync(join(folder, 'binaries/two words'), '');
    expect(await seal(folder, about)).toMatchObject({ ok: false, failure: { kind: 'file' } });
  });
});
