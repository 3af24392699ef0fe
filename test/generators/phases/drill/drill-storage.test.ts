import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import type { Cluster, PersistentVolume } from '../../../../generators/cluster/cluster.ts';
import { parametersOf } from '../../../../generators/playbooks.ts';
import { drillStorage } from '../../../../generators/phases/drill/drill-storage.ts';
import { exportOptions } from '../../../../generators/cluster/storage-exports.ts';
import { trialsOf, type Trial } from '../../../../generators/definition/storage/trials.ts';
import { cluster, drills, kubeadmCluster, machine } from '../../../support/definitions/clusters.ts';
import { breachesOf, textOf } from '../../../support/definitions/phase-files.ts';
import { exported, storageServer, stored } from '../../../support/definitions/storage.ts';

const nodes = [
  machine('cp1', '10.0.0.11', { roles: ['control-plane', 'etcd'] }),
  ...[1, 2].map((n) => machine(`worker${n}`, `10.0.0.2${n}`, { roles: ['worker'] })),
];
const given = { ...stored([storageServer()], kubeadmCluster({ machines: nodes })), drills };

/** The cluster whose first PersistentVolume is mounted with these options. */
const mountedWith = (...mountOptions: readonly string[]): Cluster => ({
  ...given,
  storage: {
    ...given.storage,
    persistentVolumes: given.storage.persistentVolumes.map(({ manifest, ...rest }): PersistentVolume => {
      const spec = { ...(manifest['spec'] as object), mountOptions };
      return { ...rest, manifest: { ...manifest, spec } };
    }),
  },
});

const first = (tried: Cluster): Trial | undefined => trialsOf(tried)[0];

describe('the drill of the storage', () => {
  test('keeps the house rules, whoever installs Kubernetes and whoever serves', () => {
    expect(breachesOf([drillStorage], given)).toEqual([]);
    const ganesha = stored([storageServer({ server: 'ganesha' })], cluster());
    expect(breachesOf([drillStorage], ganesha)).toEqual([]);
  });

  test('is there where a node can write to an export, and somebody speaks for the cluster', () => {
    const foreign = stored([storageServer()], cluster());
    expect(
      [{ ...cluster(), drills }, given, { ...foreign, drills }, foreign].map(drillStorage.applies),
    ).toEqual([false, true, true, false]);
    const workers = given.machines.filter(({ roles }) => !roles.includes('control-plane'));
    expect(drillStorage.applies({ ...given, machines: workers })).toBe(false);
  });

  test('wants the name of the cluster, and may be told the server and the export', () => {
    expect(
      parametersOf(given, 'drill-storage').map(
        ({ variable, required }) => `${variable}${required ? '!' : ''}`,
      ),
    ).toEqual(['drill_storage_confirm!', 'drill_storage_node', 'drill_storage_export']);
  });

  test('asks the cluster whether it is whole where it is ours, and else only for the time', () => {
    const guardOf = (of: Cluster): string => textOf(drillStorage, of, 'drill-storage.yml');
    expect(guardOf(given)).toContain('        control_planes: ');
    expect(guardOf(stored([storageServer()], cluster()))).not.toContain('        control_planes: ');
  });

  test('has the limit and the bound of the definition', () => {
    const limits = { vip: 0, 'control-plane': 0, worker: 0, storage: 42.5 };
    const limited = { limits, atMost: 60, window: { from: '', to: '', days: [] } };
    const text = textOf(drillStorage, { ...given, drills: limited }, 'drill-storage.yml');
    expect(text).toContain('limit: 42.5\n');
    expect(text).toContain('fault: storage\n            seconds: 60\n');
    expect(text).toContain('volume.py hold 20\n');
  });

  test('knows of each server what it serves, to whom and with which words', () => {
    const { servers, volumes } = load(
      textOf(drillStorage, mountedWith('nfsvers=4.1'), 'files/drill-storage/wanted.yml'),
    ) as Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
    const { settings, ...rest } = servers?.['storage1'] ?? {};
    expect(Object.keys(settings as object)).toEqual([
      'exports.d/playsmith.exports',
      'systemd/system/nfs-server.service.d/playsmith.conf',
    ]);
    expect(rest).toEqual({
      unit: 'nfs-server',
      threads: true,
      address: '10.0.0.90',
      mountPoints: ['/volume'],
      exports: [
        {
          path: '/volume/pv1',
          clients: ['10.0.0.0/24'],
          words: ['rw', 'sync', 'secure', 'no_subtree_check', 'no_all_squash', 'root_squash'],
        },
      ],
    });
    expect(volumes).toEqual([
      { name: 'pv1', server: '10.0.0.90', path: '/volume/pv1', options: ['nfsvers=4.1'] },
    ]);
  });
});

describe('a test volume', () => {
  test('is mounted by a worker where there is one, as its PersistentVolume is', () => {
    expect(first(given)).toEqual({
      ...{ host: 'storage1', address: '10.0.0.90', path: '/volume/pv1' },
      ...{ options: 'defaults', client: 'worker1' },
    });
    expect(first(mountedWith('nfsvers=4.1', 'hard', 'timeo=50'))?.options).toBe('nfsvers=4.1,hard,timeo=50');
  });

  test.each(['nfsvers=3', 'vers=3', 'ro', 'port=2050', 'sec=krb5', 'proto=udp', 'x=a b', 'context="a"'])(
    'is none that has to be mounted with %s',
    (option) => {
      expect(trialsOf(mountedWith('hard', option))).toEqual([]);
    },
  );

  test('is in an export of a PersistentVolume first, and never where no node may write', () => {
    const own = { clients: ['10.0.0.22'] };
    const exports = [
      exported('/volume/shared', { options: exportOptions(['ro']) }),
      exported('/volume/elsewhere', { clients: ['198.51.100.0/24'] }),
      exported('/volume/of-one', own),
      exported('/volume/by-name', { clients: ['cp1'] }),
    ];
    const many = stored([storageServer({ exports })], kubeadmCluster({ machines: nodes }));
    const told = (tried: Cluster): readonly string[] =>
      trialsOf(tried).map(({ path, client }) => `${path} ${client}`);
    expect(told({ ...many, storage: { ...many.storage, persistentVolumes: [] } })).toEqual([
      '/volume/of-one worker2',
      '/volume/by-name cp1',
    ]);
    const [volume] = many.storage.persistentVolumes;
    const moved = volume ? [{ ...volume, path: '/volume/by-name' }] : [];
    expect(told({ ...many, storage: { ...many.storage, persistentVolumes: moved } })).toEqual([
      '/volume/by-name worker1',
      '/volume/of-one worker2',
    ]);
  });
});
