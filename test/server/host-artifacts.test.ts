import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { $ } from 'zx';
import { ansible, type Answer } from '../support/server/ansible.ts';
import { bundleFolder } from '../support/definitions/bundle-folder.ts';
import { collectionFor } from '../support/collection.ts';

const isRoot = process.getuid?.() === 0;
const held = { 'binaries/kubeadm': 'one', 'images/node.tar': 'two' };
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playsmith-host-artifacts-'));
  bundleFolder(collectionFor(['artifacts']), folder);
  for (const [path, text] of Object.entries(held)) await put(join('artifacts', path), text);
  await mkdir(join(folder, 'host'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const sums = Object.fromEntries(Object.entries(held).map(([path, text]) => [path, sha256(text)]));

/** Runs the module as a playbook of the bundle would, on this machine, with `folder/host` as the host. */
async function place(
  files: Readonly<Record<string, string>>,
  {
    wanted = sums,
    words = [],
    ...more
  }: {
    readonly wanted?: Readonly<Record<string, string>>;
    readonly words?: readonly string[];
    readonly directory_mode?: string;
    readonly unpack?: Readonly<Record<string, string>>;
    readonly record?: string;
  } = {},
): Promise<Answer> {
  const dests = Object.fromEntries(
    Object.entries(files).map(([name, path]) => [join(folder, 'host', name), path]),
  );
  const args = { folder: join(folder, 'artifacts'), files: dests, sums: wanted, mode: '0755', ...more };
  const task = { name: 'Place', 'playsmith.host.artifacts': args };
  const vars = { ansible_remote_tmp: join(folder, 'tmp') };
  const play = {
    name: 'Artifacts',
    hosts: 'localhost',
    connection: 'local',
    gather_facts: false,
    vars,
    tasks: [task],
  };
  await writeFile(join(folder, 'place.yml'), JSON.stringify([play]));
  return ansible(folder, ['ansible-playbook', '-i', 'localhost,', 'place.yml', ...words]);
}

const there = (): Promise<readonly string[]> => readdir(join(folder, 'host'));

describe.skipIf(!isRoot)('the module that puts artifacts on hosts (it needs root, whose they become)', () => {
  test('puts all of them there, with their mode, and leaves nothing else', async () => {
    await put('host/kubeadm', 'an older one');
    const ended = await place({ kubeadm: 'binaries/kubeadm', 'images-node.tar': 'images/node.tar' });
    expect(ended.stdout, ended.stderr).toContain('changed=1');
    expect(await readFile(join(folder, 'host/kubeadm'), 'utf8')).toBe('one');
    expect(await readFile(join(folder, 'host/images-node.tar'), 'utf8')).toBe('two');
    expect((await stat(join(folder, 'host/kubeadm'))).mode & 0o7777).toBe(0o755);
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
  });

  test('says in check mode that it would, and does not', async () => {
    const { stdout } = await place({ kubeadm: 'binaries/kubeadm' }, { words: ['--check'] });
    expect(stdout).toContain('changed=1');
    expect(await there()).toEqual([]);
  });

  test('puts nothing there that did not arrive as it was reviewed', async () => {
    await put('host/kubeadm', 'an older one');
    const wanted = { ...sums, 'binaries/kubeadm': sha256('reviewed') };
    const { status, stdout } = await place({ kubeadm: 'binaries/kubeadm' }, { wanted });
    expect(status).toBe(2);
    expect(stdout).toContain(`what arrived has the sum ${sha256('one')}, wanted is ${sha256('reviewed')}`);
    expect(await readFile(join(folder, 'host/kubeadm'), 'utf8')).toBe('an older one');
  });

  test('says which folder of the host it cannot write to', async () => {
    const { status, stdout } = await place({ 'lacking/kubeadm': 'binaries/kubeadm' });
    expect(status).toBe(2);
    expect(stdout).toContain(join(folder, 'host/lacking'));
    expect(await there()).toEqual([]);
  });

  test('makes the folders on the way only where it is told their mode', async () => {
    const { stdout } = await place({ 'lacking/kubeadm': 'binaries/kubeadm' }, { directory_mode: '0700' });
    expect(stdout).toContain('changed=1');
    expect((await stat(join(folder, 'host/lacking'))).mode & 0o7777).toBe(0o700);
    expect(await readFile(join(folder, 'host/lacking/kubeadm'), 'utf8')).toBe('one');
  });

  describe('archives', () => {
    const archive = 'archives/cni-plugins.tgz';
    let archived: Readonly<Record<string, string>>;
    let unpacking: { unpack: Readonly<Record<string, string>>; record: string };

    beforeEach(async () => {
      await put('plugins/bridge', 'a plugin');
      await mkdir(join(folder, 'artifacts/archives'));
      await $`tar --create --gzip --file ${join(folder, 'artifacts', archive)} --directory ${join(folder, 'plugins')} ./bridge`;
      const bytes = await readFile(join(folder, 'artifacts', archive));
      archived = { ...sums, [archive]: createHash('sha256').update(bytes).digest('hex') };
      unpacking = {
        unpack: { [join(folder, 'host/opt/cni/bin')]: archive },
        record: join(folder, 'host/plugins.sha256'),
      };
    });

    test('are unpacked over what is there, recorded, and not kept', async () => {
      await put('host/opt/cni/bin/flannel', 'of somebody else');
      await put('host/opt/cni/bin/bridge', 'an older one');
      const ended = await place({ runc: 'binaries/kubeadm' }, { wanted: archived, ...unpacking });
      expect(ended.stdout, ended.stderr).toContain('changed=1');
      expect(await readFile(join(folder, 'host/opt/cni/bin/bridge'), 'utf8')).toBe('a plugin');
      expect(await readFile(join(folder, 'host/opt/cni/bin/flannel'), 'utf8')).toBe('of somebody else');
      expect(await readFile(join(folder, 'host/runc'), 'utf8')).toBe('one');
      expect(await readFile(unpacking.record, 'utf8')).toBe(`${archived[archive] ?? ''} ${archive}\n`);
      expect(await readdir(join(folder, 'tmp'))).toEqual([]);
    });

    test('make their folder where it lacks, for everybody to read', async () => {
      await place({}, { wanted: archived, ...unpacking });
      expect((await stat(join(folder, 'host/opt/cni'))).mode & 0o7777).toBe(0o755);
      expect((await stat(join(folder, 'host/opt/cni/bin'))).mode & 0o7777).toBe(0o755);
    });

    test('are told in check mode, and leave record and folder as they are', async () => {
      await put('host/plugins.sha256', 'older');
      const { stdout } = await place({}, { wanted: archived, words: ['--check'], ...unpacking });
      expect(stdout).toContain('changed=1');
      expect(await there()).toEqual(['plugins.sha256']);
    });

    test('that arrived otherwise than reviewed change nothing, nor do files beside them', async () => {
      await put('host/plugins.sha256', 'older');
      const wanted = { ...archived, [archive]: sha256('reviewed') };
      const { status, stdout } = await place({ runc: 'binaries/kubeadm' }, { wanted, ...unpacking });
      expect(status).toBe(2);
      expect(stdout).toContain(`wanted is ${sha256('reviewed')}`);
      expect(await there()).toEqual(['plugins.sha256']);
      expect(await readFile(unpacking.record, 'utf8')).toBe('older');
    });

    test('that cannot be unpacked leave no record of what was there before', async () => {
      await put('host/plugins.sha256', 'older');
      await put(`artifacts/${archive}`, 'no archive');
      const wanted = { ...archived, [archive]: sha256('no archive') };
      const { status, stdout } = await place({}, { wanted, ...unpacking });
      expect(status).toBe(2);
      expect(stdout).toMatch(/not look like a tar archive|not in gzip format/);
      expect(await readdir(join(folder, 'host'))).toEqual(['opt']);
    });
  });
});
