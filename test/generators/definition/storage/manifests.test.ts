import { describe, expect, test } from 'vitest';
import {
  readManifest,
  servedBy,
  type ManifestVolume,
} from '../../../../generators/definition/storage/manifests.ts';
import { there } from '../../../support/there.ts';

const manifest = `apiVersion: v1
kind: PersistentVolume
metadata:
  name: pv1
  uid: 0b1c
  creationTimestamp: null
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"server":"10.10.0.5"}'
    note: "server: 10.10.0.5 stays in words"
spec:
  capacity: { storage: 5Gi }
  accessModes: [ReadWriteMany]
  mountOptions: [nfsvers=4.1]
  nfs:
    # server: 10.10.0.6
    server : 10.10.0.5
    path: /volume/nfs/pv1
status: { phase: Available }
`;

const only = (text: string): ManifestVolume => {
  const { volumes, problems } = readManifest(text, 'pv.yaml');
  expect(problems).toEqual([]);
  return there(volumes[0]);
};

const wrong = (text: string): string =>
  readManifest(text, 'pv.yaml')
    .problems.map(({ place, wrong }) => `${place}: ${wrong}`)
    .join('\n');

describe('a manifest of the user', () => {
  test('gets the address of the server where NFS wants it, and nowhere else', () => {
    expect(servedBy(only(manifest), '2001:db8::90')).toEqual({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv1', annotations: { note: 'server: 10.10.0.5 stays in words' } },
      spec: {
        capacity: { storage: '5Gi' },
        accessModes: ['ReadWriteMany'],
        mountOptions: ['nfsvers=4.1'],
        nfs: { server: '2001:db8::90', path: '/volume/nfs/pv1' },
      },
    });
  });

  test('may hold several documents, and lists of objects', () => {
    const list = 'apiVersion: v1\nkind: List\nitems:\n  - ' + manifest.trimEnd().replaceAll('\n', '\n    ');
    const ofKind = list.replace('kind: List', 'kind: PersistentVolumeList').replace('pv1\n', 'pv2\n');
    const text = `---\n${manifest.replace('pv1\n', 'pv0\n')}---\n${list}\n---\n${ofKind}\n---\n`;
    expect(readManifest(text, 'pv.yaml').problems).toEqual([]);
    expect(readManifest(text, 'pv.yaml').volumes.map(({ name, path }) => `${name} ${path}`)).toEqual([
      'pv0 /volume/nfs/pv1',
      'pv1 /volume/nfs/pv1',
      'pv2 /volume/nfs/pv1',
    ]);
  });

  test('is read as kubectl reads it: merge keys, and octal numbers', () => {
    const text = manifest
      .replace('  capacity: { storage: 5Gi }', '  <<: &size { capacity: { storage: 0600000 } }')
      .replace('uid: 0b1c', 'labels: { tier: gold }');
    expect(only(text).manifest['spec']).toMatchObject({ capacity: { storage: 196_608 } });
  });

  test.each([
    ['a: [', 'pv.yaml:1:5: this is not YAML'],
    ['', 'pv.yaml:1:1: it holds no object'],
    ['apiVersion: v1\nkind: Secret\nmetadata: { name: a }\n', 'a Secret of v1 stands here'],
    ['- 1\n', 'this is no object of Kubernetes'],
    ['apiVersion: v1\nkind: PersistentVolume\nmetadata: { name: PV }\n', 'no sound `metadata.name`'],
    [
      'apiVersion: v1\nkind: PersistentVolume\nmetadata: { name: "a:b" }\n',
      'a:b is no name of a PersistentVolume',
    ],
    [
      'apiVersion: v1\nkind: PersistentVolume\nmetadata: { name: a }\nspec: { hostPath: { path: /a } }\n',
      'a has no `spec.nfs.path`',
    ],
    [
      manifest.replace('  nfs:', '  hostPath: { path: /a }\n  nfs:'),
      'pv1 has `spec.hostPath` beside `spec.nfs`',
    ],
    [manifest.replace('5Gi', 'banana'), 'pv1 has no amount in `spec.capacity.storage`'],
    [manifest.replace('[ReadWriteMany]', '[RWX]'), 'pv1 has no `spec.accessModes` that NFS offers'],
    [
      manifest.replace('  mountOptions', '  persistentVolumeReclaimPolicy: Keep\n  mountOptions'),
      'that there is not',
    ],
    [manifest.replace('nfs/pv1', 'nfs/pv1/../../..'), 'pv1 has a `spec.nfs.path` that does not fit'],
    [manifest.replace('/volume/nfs', 'volume/nfs'), 'pv1 has a `spec.nfs.path` that does not fit'],
    [
      manifest.replace('    path:', '    readonly: true\n    path:'),
      'pv1 has `spec.nfs.readonly`, which no such volume has',
    ],
    [manifest.replace('    path:', '    readOnly: "yes"\n    path:'), 'pv1 has a `spec.nfs.readOnly` that'],
    [
      manifest.replace('  mountOptions', '  storageClass: nfs\n  mountOptions'),
      'pv1 has `spec.storageClass`, which',
    ],
    [
      manifest.replace('  mountOptions', '  storageClassName: NFS_Fast\n  mountOptions'),
      'pv1 has a `spec.storageClassName` that',
    ],
    [
      manifest.replace('  mountOptions', '  volumeMode: Block\n  mountOptions'),
      'pv1 has a `spec.volumeMode` that',
    ],
    [
      manifest.replace('  mountOptions', '  volumeAttributesClassName: a\n  mountOptions'),
      'pv1 has `spec.volumeAttributesClassName`, which',
    ],
    [
      manifest.replace(
        '  mountOptions',
        '  nodeAffinity: { required: { nodeSelectorTerms: [] } }\n  mountOptions',
      ),
      'pv1 has a `spec.nodeAffinity.required.nodeSelectorTerms` that',
    ],
    [manifest.replace('[nfsvers=4.1]', 'hard'), 'pv1 has a `spec.mountOptions` that'],
    [manifest.replace('5Gi }', '5Gi, iops: 5 }'), 'pv1 has `spec.capacity.iops`, which'],
    [manifest.replace('5Gi', '9'.repeat(40)), 'this number is larger'],
    [manifest.replace('5Gi', `"${'9'.repeat(40)}"`), 'pv1 has no amount in `spec.capacity.storage`'],
    [manifest.replace('uid: 0b1c', 'labels: { tier: 1 }'), 'pv1 has a `metadata.labels` that'],
    [manifest.replace('uid: 0b1c', 'labels: { tier: "a b" }'), 'pv1 has a `metadata.labels` that'],
    [manifest.replace('uid: 0b1c', 'lables: { tier: a }'), 'pv1 has `metadata.lables`, which'],
    [manifest.replace('note: ', 'count: 1\n    note: '), 'pv1 has a `metadata.annotations` that'],
    [`${manifest}data: {}\n`, 'pv1 has `data`, which'],
    [manifest.replace('note: "server', 'note: "{{ 7 * 7 }} server'), 'which Ansible would evaluate'],
    [manifest.replace('note:', '"{% x %}":'), 'which Ansible would evaluate'],
  ])('says what is wrong with %j', (text, said) => {
    expect(wrong(text)).toContain(said);
  });

  test('may say of everything that it says nothing, and where pods may be', () => {
    const more = `  hostPath: null
  persistentVolumeReclaimPolicy: null
  storageClassName: ""
  volumeMode: Filesystem
  claimRef: { namespace: tenant-a, name: data }
  nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: a, operator: Exists }] }] } }
`;
    expect(only(manifest.replace('  mountOptions', `${more}  mountOptions`)).name).toBe('pv1');
  });

  test('has all its problems told at once, each where it stands', () => {
    const other = manifest.replace('5Gi', '12345678901234567890').replace('[ReadWriteMany]', '[]');
    expect(wrong(`${manifest.replace('5Gi', 'banana')}---\n${other}`).split('\n')).toEqual([
      'pv.yaml:30:24: this number is larger than what is kept to its last digit',
      'pv.yaml:1:1: pv1 has no amount in `spec.capacity.storage`',
      'pv.yaml:20:1: pv1 has no `spec.accessModes` that NFS offers',
    ]);
  });
});
