import { describe, expect, test } from 'vitest';
import {
  readManifest,
  servedBy,
  type ManifestVolume,
} from '../../../../generators/definition/storage/manifests.ts';

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
  const read = readManifest(text);
  if (!read.ok || !read.value[0]) throw new Error(JSON.stringify(read));
  return read.value[0];
};

const wrong = (text: string): string => {
  const read = readManifest(text);
  return read.ok ? '' : read.failure.wrong;
};

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
    const read = readManifest(`---\n${manifest.replace('pv1\n', 'pv0\n')}---\n${list}\n---\n`);
    expect(read.ok && read.value.map(({ name, path }) => `${name} ${path}`)).toEqual([
      'pv0 /volume/nfs/pv1',
      'pv1 /volume/nfs/pv1',
    ]);
  });

  test.each([
    ['a: [', 'it is no YAML'],
    ['', 'it holds no object'],
    ['apiVersion: v1\nkind: Secret\n', 'it holds a Secret of v1'],
    ['- 1\n', 'it holds something that is no object of Kubernetes'],
    ['apiVersion: v1\nkind: PersistentVolume\nmetadata: { name: PV }\n', 'no sound `metadata.name`'],
    [
      'apiVersion: v1\nkind: PersistentVolume\nmetadata: { name: a }\nspec: { hostPath: { path: /a } }\n',
      'a has no `spec.nfs.path`',
    ],
    [manifest.replace('note: "server', 'note: "{{ 7 * 7 }} server'), 'which Ansible would evaluate'],
    [manifest.replace('note:', '"{% x %}":'), 'which Ansible would evaluate'],
  ])('says what is wrong with %j', (text, said) => {
    expect(wrong(text)).toContain(said);
  });
});
