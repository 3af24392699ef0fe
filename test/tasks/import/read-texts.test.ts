import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readInventoryTexts, readTexts } from '../../../tasks/import/read-texts.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'texts-'));
  await mkdir(join(folder, 'empty'));
  await writeFile(join(folder, 'good.json'), '{"name": "Größe"}');
  await writeFile(join(folder, 'latin.json'), Buffer.from('{"name": "Größe"}', 'latin1'));
  await writeFile(join(folder, 'vnf.zip'), Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x00]));
  await writeFile(join(folder, 'utf16.json'), Buffer.from('{}', 'utf16le'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a file in UTF-8 is read, and called as from where the task runs', async () => {
  expect(await readTexts(['good.json'], folder)).toEqual({
    ok: true,
    value: [{ file: 'good.json', text: '{"name": "Größe"}' }],
  });
});

test('all that cannot be read is told at once', async () => {
  const read = await readTexts(
    ['none.json', 'empty', 'latin.json', 'utf16.json', 'no/such', 'vnf.zip'],
    folder,
  );
  expect(read.ok ? [] : read.failure.message.split('\n')).toEqual([
    'there is no file none.json',
    'there is no file in the folder empty that could be read',
    'latin.json is not UTF-8 in line 1: iconv, or an editor, can write it so',
    'utf16.json is not UTF-8: iconv, or an editor, can write it so',
    'there is no file no/such',
    'vnf.zip is an archive: unpack it, and name the files or the folder',
  ]);
});

test('of a folder what is no text is passed over, unless its name says that it is one', async () => {
  await mkdir(join(folder, 'mixed/group_vars'), { recursive: true });
  await writeFile(join(folder, 'mixed/hosts.ini'), '[kube_node]\nn1\n');
  await writeFile(join(folder, 'mixed/logo.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff]));
  await writeFile(join(folder, 'mixed/vnf.zip'), Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x00]));
  const read = await readTexts(['mixed'], folder);
  expect(read.ok && read.value.map(({ file }) => file)).toEqual(['mixed/hosts.ini']);
  await writeFile(join(folder, 'mixed/group_vars/all.yml'), Buffer.from('a: 1', 'utf16le'));
  await writeFile(join(folder, 'mixed/group_vars/etcd'), Buffer.from('a: 1', 'utf16le'));
  await writeFile(join(folder, 'mixed/keepalived.conf'), Buffer.from('vrrp_instance x {}', 'utf16le'));
  const strange = await readTexts(['mixed'], folder);
  expect(strange.ok ? [] : strange.failure.message.split('\n')).toEqual(
    ['group_vars/all.yml', 'group_vars/etcd', 'keepalived.conf'].map(
      (file) => `mixed/${file} is not UTF-8: iconv, or an editor, can write it so`,
    ),
  );
});

test('links are followed as Ansible follows them, and one that leads nowhere is told', async () => {
  await mkdir(join(folder, 'shared/more'), { recursive: true });
  await mkdir(join(folder, 'linked/group_vars/all'), { recursive: true });
  await writeFile(join(folder, 'shared/more/a.yml'), 'a: 1\n');
  await writeFile(join(folder, 'shared/b.yml'), 'b: 1\n');
  await symlink('../../../shared/b.yml', join(folder, 'linked/group_vars/all/b.yml'));
  await symlink('../../shared/more', join(folder, 'linked/group_vars/etcd'));
  await symlink('..', join(folder, 'linked/group_vars/around'));
  const read = await readTexts(['linked'], folder);
  expect(read.ok && read.value.map(({ file }) => file)).toEqual([
    'linked/group_vars/all/b.yml',
    'linked/group_vars/etcd/a.yml',
  ]);
  await symlink('nowhere', join(folder, 'linked/hosts'));
  const broken = await readTexts(['linked'], folder);
  expect(broken.ok ? '' : broken.failure.message).toBe('there is nothing behind the link linked/hosts');
});

test('with an inventory that is named alone come the folders of variables beside it, each file once', async () => {
  await mkdir(join(folder, 'edge/group_vars/all'), { recursive: true });
  await mkdir(join(folder, 'edge/host_vars'));
  await writeFile(join(folder, 'edge/hosts.ini'), '[kube_node]\nn1\n');
  await writeFile(join(folder, 'edge/other.ini'), '[kube_node]\nn2\n');
  await writeFile(join(folder, 'edge/group_vars/all/all.yml'), 'a: 1\n');
  const variables = { file: 'edge/group_vars/all/all.yml', text: 'a: 1\n' };
  const hosts = { file: 'edge/hosts.ini', text: '[kube_node]\nn1\n', isNamed: true };
  for (const paths of [['edge/hosts.ini'], ['edge/hosts.ini', 'edge/group_vars']])
    expect(await readInventoryTexts(paths, folder)).toEqual({ ok: true, value: [hosts, variables] });
  expect(await readInventoryTexts([join(folder, 'edge/group_vars/all/all.yml')], folder)).toEqual({
    ok: true,
    value: [{ ...variables, isNamed: true }],
  });
  const all = await readInventoryTexts(['edge'], folder);
  expect(all.ok && all.value.filter(({ isNamed }) => isNamed)).toEqual([]);
});
