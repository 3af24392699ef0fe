import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nfsClient } from '../../../../generators/phases/storage/nfs-client.ts';
import { textOf } from '../../../support/definitions/phase-files.ts';
import { stored } from '../../../support/definitions/storage.ts';

/** What the program has up to where it reads what it is asked; test/long/storage.test.ts runs all of it against real exports. */
const [functions = ''] = textOf(nfsClient, stored(), 'files/nfs-client/use.py').split('\nwanted = ');

/** Writes to a folder that stands for a mounted export, as whoever runs this test; what went wrong. */
function using(folder: string, name: string, instead = ''): string {
  const program = [
    functions,
    'os.setgroups = os.setegid = os.seteuid = lambda ids: None',
    'mounted = Kernel.__new__(Kernel)',
    `mounted.folder = ${JSON.stringify(folder)}`,
    instead,
    `print(mounted.use(${JSON.stringify(name)}, b"bytes") == b"bytes")`,
  ].join('\n');
  const { stdout, stderr } = spawnSync('python3', ['-c', program], { encoding: 'utf8', timeout: 20_000 });
  return stdout === 'True\n' ? '' : (stderr.trim().split('\n').at(-1) ?? '');
}

const folder = (): string => mkdtempSync(join(tmpdir(), 'playsmith-use-'));

test('a file is written, read and taken away', () => {
  const there = folder();
  expect(using(there, '.playsmith-w1')).toBe('');
  expect(readdirSync(there)).toEqual([]);
});

test('a link that a pod has put there is not followed to a file of the node', () => {
  const [there, keys] = [folder(), join(folder(), 'authorized_keys')];
  writeFileSync(keys, 'ssh-ed25519 AAAA operator\n');
  symlinkSync(keys, join(there, '.playsmith-w1'));
  expect(using(there, '.playsmith-w1')).toMatch(/FileExistsError/);
  expect(readFileSync(keys, 'utf8')).toBe('ssh-ed25519 AAAA operator\n');
});

test('nor is one made for it, where it leads to nothing yet', () => {
  const [there, made] = [folder(), join(folder(), 'cron')];
  symlinkSync(made, join(there, '.playsmith-w1'));
  expect(using(there, '.playsmith-w1')).toMatch(/FileExistsError/);
  expect(existsSync(made)).toBe(false);
});

test('a pipe holds nobody up', () => {
  const there = folder();
  spawnSync('mkfifo', [join(there, '.playsmith-w1')]);
  expect(using(there, '.playsmith-w1')).toMatch(/FileExistsError/);
});

test('a file that cannot be written to its end is taken away as well', () => {
  const there = folder();
  const full =
    'def fsync(file):\n    raise OSError(errno.ENOSPC, "No space left on device")\nos.fsync = fsync';
  expect(using(there, '.playsmith-w1', full)).toMatch(/No space left on device/);
  expect(readdirSync(there)).toEqual([]);
});
