import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { nfsClient } from '../../../../generators/phases/storage/nfs-client.ts';
import { exportOptions } from '../../../../generators/cluster/storage-exports.ts';
import { cluster } from '../../../support/definitions/clusters.ts';
import { breachesOf, textOf } from '../../../support/definitions/phase-files.ts';
import { exported, storageServer, stored } from '../../../support/definitions/storage.ts';

const readOnly = exported('/volume/shared', { clients: ['10.0.0.21'], options: exportOptions(['ro']) });
const given = stored([storageServer({ exports: [exported('/volume/pv1'), readOnly] })]);

describe('the phase nfs-client', () => {
  test('is there where there is storage', () => {
    expect(nfsClient.applies(cluster())).toBe(false);
    expect(nfsClient.applies(given)).toBe(true);
  });

  test('tries every export, those of PersistentVolumes on every node', () => {
    expect(load(textOf(nfsClient, given, 'files/nfs-client/exports.yml'))).toEqual([
      { server: '10.0.0.90', path: '/volume/pv1', clients: ['10.0.0.0/24'], access: 'rw', needed: true },
      { server: '10.0.0.90', path: '/volume/shared', clients: ['10.0.0.21'], access: 'ro', needed: false },
    ]);
  });

  test('keeps the house rules', () => {
    expect(breachesOf([nfsClient], given)).toEqual([]);
  });
});
