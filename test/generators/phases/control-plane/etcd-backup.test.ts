import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { etcdBackup } from '../../../../generators/phases/control-plane/etcd-backup.ts';
import { cluster, encryptedBackup, kubeadmCluster } from '../../../support/definitions/clusters.ts';
import { runModule, type ModuleResult } from '../../../support/module.ts';
import { breachesOf, textOf } from '../../../support/definitions/phase-files.ts';

const keep = (folder: string): ModuleResult =>
  runModule('kept_snapshot', { folder, state: 'kept', keep: 2 }).result;

const sum = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A folder of kept snapshots, and one that has just been fetched. */
function folderWith(kept: readonly string[], snapshot = 'new'): string {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-kept-'));
  for (const name of kept) writeFileSync(join(folder, name), name);
  mkdirSync(join(folder, 'incoming'));
  writeFileSync(join(folder, 'incoming/snapshot.db'), 'new');
  writeFileSync(join(folder, 'incoming/SHA256SUMS'), `${sum(snapshot)} *snapshot.db\n`);
  return folder;
}

test('a snapshot is named after the time, with its checksum beside it, for its owner alone', () => {
  const folder = folderWith([]);
  expect(keep(folder).changed).toBe(true);
  const [name = '', checksum = ''] = readdirSync(folder).sort();
  expect(name).toMatch(/^\d{8}T\d{6}Z\.db$/);
  expect(readFileSync(join(folder, checksum), 'utf8')).toBe(`${sum('new')}  ${name}\n`);
  expect([name, checksum].map((each) => statSync(join(folder, each)).mode & 0o777)).toEqual([0o600, 0o600]);
});

test('the oldest snapshots beyond those that are kept go with what belongs to them; other files stay', () => {
  const old = ['20200101T000000Z.db', '20200101T000000Z.db.sha256', '20200101T000000Z.pki.tar'];
  const folder = folderWith([...old, '20200102T000000Z.db', 'notes.db', 'x20200101T000000Z.db']);
  expect(keep(folder).changed).toBe(true);
  const left = readdirSync(folder).sort();
  expect(left).toEqual(expect.arrayContaining(['20200102T000000Z.db', 'notes.db', 'x20200101T000000Z.db']));
  expect(left.filter((name) => old.includes(name))).toEqual([]);
});

test('a snapshot that is not what was taken is not kept, and nothing is deleted for it', () => {
  const kept = ['20200101T000000Z.db', '20200102T000000Z.db', '20200103T000000Z.db'];
  const folder = folderWith(kept, 'other');
  expect(keep(folder).msg).toContain('is not what its checksums were made of');
  expect(readdirSync(folder).sort()).toEqual([...kept, 'incoming']);
});

test('the keys of the authorities are kept only when they were fetched with this snapshot', () => {
  const folder = folderWith([]);
  writeFileSync(join(folder, 'incoming/snapshot.pki.tar'), 'left by an interrupted run');
  expect(keep(folder).changed).toBe(true);
  expect(readdirSync(folder).filter((name) => name.includes('pki') || name === 'incoming')).toEqual([]);
});

const encrypted = kubeadmCluster({ kubernetes: { ...kubeadmCluster().kubernetes, backup: encryptedBackup } });

test('with a public key only what is encrypted is fetched, and nobody but root reads the rest meanwhile', () => {
  const playbook = textOf(etcdBackup, encrypted, 'etcd-backup.yml');
  expect(playbook).toContain('state: taken\n            user: root\n');
  expect(playbook).toContain("['SHA256SUMS', 'snapshot.json', 'snapshot.db.age']");
  expect(playbook).not.toContain("'snapshot.db'");
  expect(playbook.indexOf('state: encrypted')).toBeLessThan(playbook.indexOf('ansible.builtin.fetch'));
  const plain = textOf(etcdBackup, kubeadmCluster(), 'etcd-backup.yml');
  expect(plain).not.toMatch(/age|copies|encrypt/);
});

test('clusters of one name with identifiers of their own have folders of their own in a copy', () => {
  const folder = (uid: string): string | undefined =>
    /^ +cluster: (.*)$/m.exec(
      textOf(etcdBackup, { ...encrypted, ...(uid === '' ? {} : { uid }) }, 'etcd-backup.yml'),
    )?.[1];
  expect(['', 'b7c1e2d4'].map(folder)).toEqual(['"kube"', '"kube.b7c1e2d4"']);
});

test('it keeps the house rules, and is there only where Playsmith installs Kubernetes', () => {
  expect(breachesOf([etcdBackup], kubeadmCluster())).toEqual([]);
  expect(breachesOf([etcdBackup], encrypted)).toEqual([]);
  expect([cluster(), kubeadmCluster()].map(etcdBackup.applies)).toEqual([false, true]);
});
