import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeBuild } from '../../lab/machine/mounts.ts';
import { program } from '../../tasks/runtime/program.ts';
import { must } from '../support/hosts/lab.ts';

test('what a killed build left is removed, and nothing of what it had mounted', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'playsmith-mounts-'));
  const build = join(scratch, 'a build');
  const [owner, neighbour] = [join(scratch, 'of the machine'), join(scratch, 'a build of others')];
  for (const path of [owner, neighbour, join(build, 'proc'), join(build, 'dev/shm')])
    mkdirSync(path, { recursive: true });
  for (const folder of [owner, neighbour]) writeFileSync(join(folder, 'file'), 'kept');
  for (const words of [
    ['-t', 'proc', 'proc', join(build, 'proc')],
    ['--bind', owner, join(build, 'dev')],
  ])
    expect(await program(['mount', ...words])).toMatchObject({ ok: true });
  must(await removeBuild(build));
  expect(existsSync(build)).toBe(false);
  expect([owner, neighbour].map((folder) => readFileSync(join(folder, 'file'), 'utf8'))).toEqual([
    'kept',
    'kept',
  ]);
  must(await removeBuild(build));
});
