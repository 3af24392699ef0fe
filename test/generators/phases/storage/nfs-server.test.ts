import { describe, expect, test } from 'vitest';
import { nfsServer } from '../../../../generators/phases/storage/nfs-server.ts';
import { exportOptions } from '../../../../generators/cluster/storage-exports.ts';
import { withIds } from '../../../../generators/phases/storage/server-files.ts';
import { cluster } from '../../../support/definitions/clusters.ts';
import { breachesOf, filesOf, textOf } from '../../../support/definitions/phase-files.ts';
import { exported, storageServer, stored } from '../../../support/definitions/storage.ts';

const etc = 'files/nfs-server/storage1/etc';
const seed = exported('/volume/nfs/pv2', {
  clients: ['10.10.0.0/24', '2001:db8::/64', 'node-1.example.org'],
  options: exportOptions(['insecure', 'all_squash', 'anonuid=1000']),
});
const kernel = stored([storageServer({ exports: [exported('/volume/pv1'), seed] })]);
const ganesha = stored([storageServer({ server: 'ganesha', exports: [exported('/volume/pv1'), seed] })]);

describe('the phase nfs-server', () => {
  test('is there where there is storage, whoever installs Kubernetes', () => {
    expect(nfsServer.applies(cluster())).toBe(false);
    expect(nfsServer.applies(stored([storageServer()], cluster()))).toBe(true);
  });

  test('exports to each client what it may, and only while the volume is mounted', () => {
    const lines = textOf(nfsServer, kernel, `${etc}/exports.d/playsmith.exports`).split('\n').slice(4, -1);
    const safe = 'rw,sync,root_squash,secure,no_subtree_check,mountpoint=/volume';
    const asked = 'rw,sync,all_squash,insecure,no_subtree_check,anonuid=1000,mountpoint=/volume';
    expect(lines).toEqual([
      `/volume/pv1 10.0.0.0/24(${safe})`,
      `/volume/nfs/pv2 10.10.0.0/24(${asked}) 2001:db8::/64(${asked}) node-1.example.org(${asked})`,
    ]);
  });

  test('says the same to Ganesha in its words', () => {
    const text = textOf(nfsServer, ganesha, `${etc}/ganesha/ganesha.conf`);
    const [, first = '', second = ''] = text.split('\nEXPORT {');
    expect(first).toContain('Path = /volume/pv1;');
    expect(first).toContain('    Access_Type = None;');
    expect(first).toContain('Squash = root_squash;\n        PrivilegedPort = true;');
    expect(second).toContain('Clients = 10.10.0.0/24,2001:db8::/64,node-1.example.org;');
    expect(second).toContain(
      'PrivilegedPort = false;\n        Anonymous_Uid = 1000;\n        Anonymous_Gid = 65534;',
    );
  });

  test.each([
    [kernel, 'nfs-server'],
    [ganesha, 'nfs-ganesha'],
  ])('binds the server to its volumes', (given, unit) => {
    const text = textOf(nfsServer, given, `${etc}/systemd/system/${unit}.service.d/playsmith.conf`);
    expect(text).toContain('\nRequiresMountsFor=/volume\n');
  });

  test('keeps the number of an export wherever it stands, and gives no number twice', () => {
    const many = Array.from({ length: 2000 }, (_, index) => exported(`/volume/${index}`));
    const numbers = new Map(withIds(many).map(({ path, id }) => [path, id]));
    expect(new Set(numbers.values()).size).toBe(many.length);
    expect(Math.max(...numbers.values())).toBeLessThan(65_536);
    expect(withIds(many.toReversed()).every(({ path, id }) => numbers.get(path) === id)).toBe(true);
  });

  test('names a device that may lose what it holds, and no other', () => {
    const [plain] = storageServer().volumes;
    const forced = { device: '/dev/vdc', signature: 'xfs 8c3e' };
    const volumes = plain
      ? [plain, { ...plain, device: '/dev/vdc', mountTo: '/second', forceFormat: forced }]
      : [];
    const text = textOf(
      nfsServer,
      stored([storageServer({ volumes })]),
      'files/nfs-server/storage1/server.yml',
    );
    expect(text.match(/signature: .*/g)).toEqual(['signature: ""', 'signature: "xfs 8c3e"']);
  });

  test('sends each server its own files', () => {
    const second = storageServer({ host: 'storage2', address: '10.0.0.91', server: 'ganesha' });
    const paths = filesOf(nfsServer, stored([storageServer(), second])).map(({ path }) => path);
    expect(paths).toContain('files/nfs-server/storage1/etc/exports.d/playsmith.exports');
    expect(paths).toContain('files/nfs-server/storage2/etc/ganesha/ganesha.conf');
  });

  test.each([kernel, ganesha])('keeps the house rules', (given) => {
    expect(breachesOf([nfsServer], given)).toEqual([]);
  });
});
