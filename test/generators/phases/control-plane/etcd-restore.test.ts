import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Backup, Cluster } from '../../../../generators/cluster/cluster.ts';
import { etcdRestore } from '../../../../generators/phases/control-plane/etcd-restore.ts';
import { parametersOf } from '../../../../generators/playbooks.ts';
import { cluster, encryptedBackup, kubeadmCluster, machine } from '../../../support/definitions/clusters.ts';
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

const backed = (backup: Backup): Cluster =>
  kubeadmCluster({ kubernetes: { ...kubeadmCluster().kubernetes, backup } });

test('a key is tried before anything is stopped, and what is decrypted is removed also where that fails', () => {
  const playbook = textOf(etcdRestore, backed(encryptedBackup), 'etcd-restore.yml');
  const order = [
    'state: fetched',
    'state: decryptable',
    'state: stopped',
    'state: decrypted',
    'state: restored',
    'always:',
  ];
  const places = order.map((words) => playbook.indexOf(words));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places).not.toContain(-1);
});

test('a copy is restored from only where the definition says how it is decrypted', () => {
  const { identityVariable, ...withoutKey } = encryptedBackup;
  expect(identityVariable).not.toBe('');
  const asked = [encryptedBackup, withoutKey, { keep: 7 }].map((backup) =>
    parametersOf(backed(backup), 'restore').map(({ variable }) => variable),
  );
  const usual = ['etcd_restore_snapshot', 'etcd_restore_confirm'];
  expect(asked).toEqual([
    ['etcd_restore_snapshot', 'etcd_restore_from', 'etcd_restore_confirm'],
    usual,
    usual,
  ]);
  expect(textOf(etcdRestore, backed(withoutKey), 'etcd-restore.yml')).toBe(
    textOf(etcdRestore, backed({ keep: 7 }), 'etcd-restore.yml'),
  );
});

test('an encrypted snapshot is not restored by a bundle that cannot decrypt it', () => {
  const folder = folderWith(['20200101T000000Z.db', '20200102T000000Z.db.age']);
  expect(find(folder, 'latest').msg).toContain('is encrypted, and the definition has no backup.decryptWith');
  expect(find(folder, '20200101T000000Z')).toMatchObject({ size: 19 });
  expect(runModule('kept_snapshot', { folder, encrypted: true }).result).toMatchObject({
    path: join(folder, '20200102T000000Z.db.age'),
  });
});

test('it keeps the house rules, and is there only where Playsmith installs Kubernetes', () => {
  expect(breachesOf([etcdRestore], kubeadmCluster())).toEqual([]);
  expect(breachesOf([etcdRestore], backed(encryptedBackup))).toEqual([]);
  expect([cluster(), kubeadmCluster()].map(etcdRestore.applies)).toEqual([false, true]);
});
