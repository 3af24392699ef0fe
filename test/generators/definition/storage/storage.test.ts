import { describe, expect, test } from 'vitest';
import type { Files } from '../../../../generators/definition/files.ts';
import { failed, ok } from '../../../../generators/result.ts';
import { changed, loaded, said } from '../support.ts';

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDzwNTPVr6c9OMaqOA85XIpKVDivvMvtpBo+JU2H5REO';
const host = `hosts: [{ name: storage01, address: 192.0.2.90, ssh: { hostKey: ${key} } }]`;

const defined = (...lines: readonly string[]): string =>
  changed(['nodes:\n', `${host}\nstorage:\n${lines.map((line) => `  ${line}\n`).join('')}nodes:\n`]);

const plain = [
  'host: storage01',
  'volumes: [{ device: /dev/vdb, mountTo: /volume }]',
  'exports: [{ path: /volume/pv1, to: 192.0.2.0/24 }]',
  'persistentVolumes: [{ name: pv1, export: /volume/pv1, capacity: 5Gi, accessModes: [ReadWriteMany] }]',
] as const;

/** The plain one with some of its lines replaced by their key. */
const withLines = (...lines: readonly string[]): string => {
  const own = new Map([...plain, ...lines].map((line) => [line.split(':')[0], line]));
  return defined(...own.values());
};

const messages = (text: string, files?: Files): string[] =>
  said(text, files).map((line) => line.replace(/^(warning )?[\d:]+ /, '$1').split(' → ')[0] ?? '');

describe('storage in a definition', () => {
  test('is sound as the smallest one that makes sense', () => {
    expect(said(withLines())).toEqual([]);
  });

  test('is as safe as it gets where nothing else is written', () => {
    const { servers, persistentVolumes } = loaded(withLines()).cluster.storage;
    expect(servers).toEqual([
      {
        host: 'storage01',
        address: '192.0.2.90',
        server: 'kernel',
        volumes: [
          {
            by: 'device',
            device: '/dev/vdb',
            mountTo: '/volume',
            fileSystem: 'ext4',
            forceFormat: { device: '', signature: '' },
          },
        ],
        exports: [
          {
            path: '/volume/pv1',
            mountTo: '/volume',
            clients: ['192.0.2.0/24'],
            options: {
              access: 'rw',
              writes: 'sync',
              squash: 'root_squash',
              ports: 'secure',
              subtree: 'no_subtree_check',
              anonymousUser: -1,
              anonymousGroup: -1,
            },
            owner: { user: 65_534, group: 65_534, mode: '0770', when: 'new' },
          },
        ],
      },
    ]);
    expect(persistentVolumes.map(({ manifest }) => manifest)).toEqual([
      {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: 'pv1' },
        spec: {
          capacity: { storage: '5Gi' },
          accessModes: ['ReadWriteMany'],
          persistentVolumeReclaimPolicy: 'Retain',
          storageClassName: '',
          nfs: { server: '192.0.2.90', path: '/volume/pv1' },
        },
      },
    ]);
  });

  test('gives its host a role, and may be several servers', () => {
    const second =
      '- { host: storage01, volumes: [{ serial: A1, mountTo: /a }], exports: [{ path: /a, to: 192.0.2.0/24 }] }';
    const { cluster } = loaded(defined(second));
    expect(cluster.machines.at(-1)).toMatchObject({ name: 'storage01', roles: ['storage'] });
    expect(cluster.storage.servers[0]?.volumes[0]).toMatchObject({ by: 'serial', device: 'A1' });
    expect(messages(defined(second, second))).toEqual(['storage01 is listed twice']);
  });

  test.each([
    ['host: storage1', ['there is no host storage1']],
    ['host: worker01', ['worker01 is a node, and a storage server stands beside the cluster']],
    [
      'volumes: [{ device: /dev/vdb, serial: A1, mountTo: /volume }]',
      ['exactly one of device, serial, cinderVolume belongs here, not device and serial'],
    ],
    [
      'volumes: [{ device: /dev/vdb, mountTo: /volume }, { device: /dev/vdb, mountTo: /b }]',
      ['/dev/vdb is listed twice'],
    ],
    [
      'volumes: [{ device: /dev/vdb, mountTo: /volume }, { device: /dev/vdc, mountTo: /volume }]',
      ['/dev/vdb is mounted to /volume already'],
    ],
    [
      'volumes: [{ device: /dev/vdb, mountTo: /volume }, { device: /dev/vdc, mountTo: /etc }]',
      ['/etc belongs to the system'],
    ],
    [
      'volumes: [{ device: /dev/../etc/shadow, mountTo: /volume }]',
      ['"/dev/../etc/shadow" is not a path of a device'],
    ],
    [
      'volumes: [{ device: /dev/vdb, mountTo: /volume, forceFormat: { device: /dev/vda, signature: xfs } }]',
      ['the volume is /dev/vdb, and /dev/vda is to be formatted'],
    ],
    [
      'exports: [{ path: /volume/pv1, to: 192.0.2.0/24 }, { path: /other, to: 192.0.2.0/24 }]',
      ['/other is in no volume'],
    ],
    [
      'exports: [{ path: /volume/pv1, to: 192.0.2.0/24 }, { path: /volume/pv1, to: 192.0.2.1 }]',
      ['/volume/pv1 is exported already'],
    ],
    [
      'exports: [{ path: /volume/pv1, to: 192.0.2.0/24, options: [rw, ro] }]',
      ['rw and ro contradict each other'],
    ],
    [
      'exports: [{ path: /volume/pv1, to: 192.0.2.0/24, options: [exec] }]',
      ['"exec" is not an option that is known here'],
    ],
    [
      'exports: [{ path: /volume/pv1, to: "*.example.org" }]',
      ['"*.example.org" lets in whoever has such a name'],
    ],
    [
      'exports: [{ path: /volume/pv1, to: 192.0.2.1/24 }]',
      ['"192.0.2.1/24" has host bits set: it is an address inside 192.0.2.0/24'],
    ],
    [
      'exports: [{ path: "/volume/pv1 (rw)", to: 192.0.2.0/24 }]',
      ['"/volume/pv1 (rw)" is not a path that is safe in every file'],
    ],
    [
      'exports: [{ path: /volume/pv1, to: 192.0.2.11 }]',
      [
        'warning master02 and 2 more may not mount /volume/pv1, and pods with its PersistentVolume can be there',
      ],
    ],
    [
      'exports: [{ path: /volume/pv1, to: 0.0.0.0/0 }]',
      ['warning 0.0.0.0/0 lets in everybody who can reach the server'],
    ],
    [
      'exports: [{ path: /volume/pv1, to: 192.0.2.0/24, options: [no_root_squash] }]',
      ['warning with no_root_squash, root of any client is root of these files'],
    ],
    [
      'persistentVolumes: [{ name: pv1, export: /volume/pv2, capacity: 5Gi, accessModes: [ReadWriteMany] }]',
      ['the server exports no /volume/pv2'],
    ],
    [
      'persistentVolumes: [{ name: pv1, export: /volume/pv1, capacity: 5G B, accessModes: [ReadWriteMany] }]',
      ['"5G B" is not an amount as Kubernetes writes it'],
    ],
    [
      'persistentVolumes: [{ name: pv1, export: /volume/pv1, capacity: 5Gi, accessModes: [ReadWriteMany], reclaimPolicy: Delete }]',
      ['warning nothing deletes folders of an NFS server, so the volume fails when its claim is deleted'],
    ],
  ])('is told about %s', (line, wanted) => {
    expect(messages(withLines(line))).toEqual(wanted);
  });

  test('takes PersistentVolumes out of files beside it, and says what is wrong with those', () => {
    const text = withLines('manifests: [own.yaml]');
    const own =
      'apiVersion: v1\nkind: PersistentVolume\nmetadata: { name: own }\nspec: { capacity: { storage: 5Gi }, accessModes: [ReadWriteMany], nfs: { path: /volume/pv1/sub } }\n';
    const having = (file: string): Files => new Map([['own.yaml', ok(file)]]);
    expect(loaded(text, having(own)).cluster.storage.persistentVolumes.at(-1)).toEqual({
      name: 'own',
      path: '/volume/pv1/sub',
      host: 'storage01',
      manifest: {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: 'own' },
        spec: {
          capacity: { storage: '5Gi' },
          accessModes: ['ReadWriteMany'],
          nfs: { server: '192.0.2.90', path: '/volume/pv1/sub' },
        },
      },
    });
    expect(messages(text, having(own.replace('name: own', 'name: pv1')))).toEqual([
      'there is already a PersistentVolume pv1',
    ]);
    expect(messages(text, having(own.replace('/volume', '/other')))).toEqual([
      'own.yaml: own leads to /other/pv1/sub, which the server does not export',
    ]);
    expect(messages(text, having('kind: Pod'))).toEqual(['own.yaml:1:1: this Pod has no `apiVersion`']);
    expect(messages(text, new Map([['own.yaml', failed('there is no file own.yaml')]]))).toEqual([
      'there is no file own.yaml',
    ]);
  });
});
