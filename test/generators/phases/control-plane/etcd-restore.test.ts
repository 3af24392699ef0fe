import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { etcdRestore } from '../../../../generators/phases/control-plane/etcd-restore.ts';
import { cluster, kubeadmCluster, machine } from '../../../support/definitions/clusters.ts';
import { runModule, type ModuleResult } from '../../../support/module.ts';
import { breachesOf, textOf } from '../../../support/definitions/phase-files.ts';

const find = (folder: string, name: string): ModuleResult =>
  runModule('kept_snapshot', { folder, name }).result;
const sum = (text: string): string => createHash('sha256').update(text).digest('hex');

function folderWith(names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-kept-'));
  for (const name of names) {
    writeFileSync(join(folder, name), name);
    writeFileSync(join(folder, `${name}.sha256`), `${sum(name)}  ${name}\n`);
  }
  return folder;
}

test.each([
  ['latest', '20200102T000000Z.db'],
  ['20200101T000000Z', '20200101T000000Z.db'],
  ['20200101T000000Z.db', '20200101T000000Z.db'],
])('%s finds %s, its checksum and its size', (asked, name) => {
  const folder = folderWith(['20200101T000000Z.db', '20200102T000000Z.db', 'notes.db']);
  expect(find(folder, asked)).toMatchObject({
    path: join(folder, name),
    checksum: sum(name),
    size: name.length,
  });
});

test('a snapshot that is not kept, has changed or has no checksum is refused with the reason', () => {
  const folder = folderWith(['20200101T000000Z.db']);
  expect(find(folder, '20200103T000000Z').msg).toContain('only 20200101T000000Z');
  writeFileSync(join(folder, '20200101T000000Z.db'), 'changed');
  expect(find(folder, 'latest').msg).toContain('is not what its checksum was made of');
  writeFileSync(join(folder, '20200104T000000Z.db'), 'new');
  expect(find(folder, 'latest').msg).toContain('has no checksum beside it');
  expect(find(`${folder}/none`, 'latest').msg).toContain('nothing is kept in');
});

test('every member is told of all members by the names and addresses of the definition', () => {
  const machines = [
    machine('cp1', '10.0.0.11'),
    machine('cp2', '2001:db8::12'),
    machine('w1', '10.0.0.21', { roles: ['worker'] }),
  ];
  const playbook = textOf(etcdRestore, kubeadmCluster({ machines }), 'etcd-restore.yml');
  expect(playbook).toContain('"cp1": "https://10.0.0.11:2380"');
  expect(playbook).toContain('"cp2": "https://[2001:db8::12]:2380"');
  expect(playbook).not.toContain('10.0.0.21');
});

test('it keeps the house rules, and is there only where Playsmith installs Kubernetes', () => {
  expect(breachesOf([etcdRestore], kubeadmCluster())).toEqual([]);
  expect([cluster(), kubeadmCluster()].map(etcdRestore.applies)).toEqual([false, true]);
});
