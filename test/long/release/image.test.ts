import { spawnSync } from 'node:child_process';
import {
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cgroupParent, engine, type Engine } from '../../../lab/machine/engine.ts';
import { packageRoot, version } from '../../../library/package.ts';
import { contents } from '../../support/server/ansible-server.ts';

// The image as a release has it, in the podman of the lab.
const scratch = mkdtempSync(join(tmpdir(), 'playsmith-release-'));
const work = join(scratch, 'work');
const reference = `localhost/playsmith:${version}`;
let own: Engine;

beforeAll(async () => {
  own = await engine();
  const release = join(scratch, 'release');
  const { status, stderr } = spawnSync(process.execPath, ['scripts/release.mjs', '--output', release], {
    cwd: packageRoot,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  const archive = readdirSync(release).find((name) => name.endsWith('-oci.tar')) ?? '';
  expect(statSync(join(release, archive)).size).toBeLessThan(120e6);
  expect((await own.podman(['load', '--quiet', '--input', join(release, archive)])).ok).toBe(true);
  mkdirSync(work);
  chownSync(work, 1000, 1000);
});

afterAll(async () => {
  await own.podman(['rmi', '--force', reference]);
  rmSync(scratch, { recursive: true });
});

/** Runs the image without a network, and with nothing to write to but what is mounted at /project. */
async function run(words: readonly string[], entrypoint?: string): Promise<string> {
  const { openFiles, processes } = own.machine;
  const ran = await own.podman([
    ...['run', '--rm', '--read-only', '--network=none', `--cgroup-parent=${cgroupParent('image')}`],
    ...[`--ulimit=nofile=${openFiles}:${openFiles}`, `--ulimit=nproc=${processes}:${processes}`],
    ...['--volume', `${work}:/project`, ...(entrypoint === undefined ? [] : ['--entrypoint', entrypoint])],
    ...[reference, ...words],
  ]);
  const { stdout, stderr } = ran.ok ? ran.value : ran.failure;
  return stdout + stderr;
}

const below = (folder: string): ReadonlyMap<string, string> =>
  new Map([...contents(folder)].map(([path, text]) => [relative(folder, path), text]));

test('it is the command, and renders what the repository has, byte for byte', async () => {
  expect((await run(['--version'])).trim()).toBe(version);
  expect(await run([])).toContain('Usage: playsmith <task>');
  cpSync(join(packageRoot, 'examples/ha-stacked.yml'), join(work, 'cluster.yml'));
  expect(await run(['check'])).toContain('no problems');
  await run(['render', '--quiet']);
  expect(below(join(work, 'playbooks/ha-stacked'))).toEqual(below(join(packageRoot, 'playbooks/ha-stacked')));
  expect(readFileSync(join(work, 'playbooks/ha-stacked/README.md'), 'utf8')).toContain('npx task');
});

test('it has git and ssh, is not root, and nothing in it makes one root', async () => {
  expect(await run(['--version'], '/usr/bin/git')).toContain('git version');
  expect(await run(['-V'], '/usr/bin/ssh')).toContain('OpenSSH');
  expect(await run([], '/usr/bin/id')).toContain('uid=1000(playsmith)');
  const words = ['/', '-xdev', '-type', 'f', '(', '-perm', '/6000', '-o', '-writable', ')', '-not', '-path'];
  expect((await run([...words, '/project/*'], '/usr/bin/find')).replaceAll(/^\S*find: .*$/gm, '').trim()).toBe(
    '',
  );
});
