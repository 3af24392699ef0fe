import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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
  files: Readonly<Record<string, keyof typeof held>>,
  {
    wanted = sums,
    words = [],
  }: { wanted?: Readonly<Record<string, string>>; words?: readonly string[] } = {},
): Promise<Answer> {
  const dests = Object.fromEntries(
    Object.entries(files).map(([name, path]) => [join(folder, 'host', name), path]),
  );
  const args = { folder: join(folder, 'artifacts'), files: dests, sums: wanted, mode: '0755' };
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
});
