import { describe, expect, test } from 'vitest';
import { secretsOf } from '../../../tasks/steps/run/messages.ts';
import { changed, loaded, saidBesides as said } from './support.ts';

const key = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p';
const sshKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHpaCoSjuFvL7LqCbj2HiRUKUvMv8xH/c6bZ9GeC+fXb';
const defined = (backup: string, more = ''): string =>
  changed([
    'network:\n',
    `installer: { kubeadm: { version: 1.37.2, backup: ${backup} } }\n${more}network:\n  plugin: static-routes\n`,
  ]);

type Words = Readonly<Record<string, string>>;
const flow = (words: Words): string =>
  `{ ${Object.entries(words)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')} }`;
const sftp = (words: Words = {}): string =>
  flow({
    ...{
      host: 'backup.example.org',
      user: 'edge-a',
      privateKey: '~/.ssh/backup',
      hostKey: sshKey,
      directory: '/srv/etcd',
    },
    ...words,
  });
const s3 = (words: Words = {}): string =>
  flow({
    ...{ endpoint: 'https://s3.example.org', bucket: 'etcd' },
    ...{ accessKeyId: '{ env: KEY_ID }', secretAccessKey: '{ env: KEY }' },
    ...words,
  });
const copies = (...all: readonly string[]): string => `{ encryptTo: [${key}], copies: [${all.join(', ')}] }`;
const offsite = (words: Words = {}): string => `{ name: offsite, sftp: ${sftp(words)} }`;
const bucket = (words: Words = {}): string => `{ name: the-bucket, keep: 90, s3: ${s3(words)} }`;

test('snapshots are encrypted to keys of age and of SSH, and copied to places that have names', () => {
  const text = defined(
    `{ encryptTo: [${key}, ${sshKey} ada@example.org], decryptWith: { file: id }, copies: [${offsite({ port: '2222' })}, ${bucket({ endpoint: 'https://s3.example.org/' })}] }`,
  );
  expect(said(text)).toEqual([]);
  expect(loaded(text).cluster.kubernetes.backup).toEqual({
    keep: 7,
    encryptTo: [key, sshKey],
    identityVariable: 'vault_backup_identity',
    copies: [
      {
        name: 'offsite',
        keep: 30,
        place: {
          ...{ kind: 'sftp', host: 'backup.example.org', port: 2222, user: 'edge-a' },
          ...{ privateKey: '~/.ssh/backup', hostKey: sshKey, directory: '/srv/etcd' },
        },
      },
      {
        name: 'the-bucket',
        keep: 90,
        place: {
          ...{
            kind: 's3',
            endpoint: 'https://s3.example.org',
            region: 'us-east-1',
            bucket: 'etcd',
            prefix: '',
          },
          accessKeyIdVariable: 'vault_backup_the_bucket_access_key_id',
          secretAccessKeyVariable: 'vault_backup_the_bucket_secret_access_key',
          ca: '',
        },
      },
    ],
  });
  expect(loaded(defined('{ keep: 3 }')).cluster.kubernetes.backup).toEqual({ keep: 3 });
});

describe('is refused with what would be right', () => {
  test.each([
    ['encryptTo: [AGE-SECRET-KEY-1QQ]', /this is a private key, which never belongs in a definition/],
    [
      `encryptTo: [${key.replace('ql3z', 'ql3y')}]`,
      /is no public key .* or a letter of it is wrong → what `age-keygen` says/,
    ],
    ['encryptTo: [age1yubikey1qqq]', /is no public key/],
    ['encryptTo: [ssh-ed25519 AAAA]', /is no public key/],
    ['encryptTo: [ssh-rsa AAAAB3NzaC1yc2E]', /is no public key/],
    ['encryptTo: []', /the list is empty/],
    [`encryptTo: [${key}, ${key}]`, /this key is listed twice → once/],
    ['decryptWith: AGE-SECRET-KEY-1QQ', /`decryptWith` is a secret, which is never written in a definition/],
  ])('%s', (backup, expected) => {
    const found = said(defined(`{ ${backup} }`));
    expect(found).toEqual([expect.stringMatching(expected)]);
    expect(found.join('')).not.toContain('AGE-SECRET-KEY-1QQ');
  });

  test.each([
    [
      'no key',
      `{ copies: [${offsite()}] }`,
      /copies would hold every Secret of the cluster in plain text.* → encryptTo: \[age1…\]/,
    ],
    [
      'two places',
      copies(`{ name: a, sftp: ${sftp()}, s3: ${s3()} }`),
      /exactly one of sftp, s3 belongs here, not sftp and s3/,
    ],
    ['no place', copies('{ name: a }'), /exactly one of sftp, s3 belongs here, not none/],
    ['an unknown host', copies(offsite({ hostKey: '' })), /`hostKey` is missing in .*sftp/],
    [
      'a fingerprint',
      copies(offsite({ hostKey: 'SHA256:XScFhfY9QZFlzIYUGXemnXdzPLTJ+EtTyXXdpzRx6x0' })),
      /a fingerprint is not enough here/,
    ],
    ['a folder above', copies(offsite({ directory: '/srv/../etc' })), /is not a folder that is safe to name/],
    [
      'HTTP',
      copies(bucket({ endpoint: 'http://s3.example.org' })),
      /without TLS nobody knows who answers there.* → https:.*allowHttp: true/,
    ],
    [
      'a path',
      copies(bucket({ endpoint: 'https://s3.example.org/etcd' })),
      /is not the URL of an S3 server alone/,
    ],
    [
      'a password in the URL',
      copies(bucket({ endpoint: 'https://a:b@s3.example.org' })),
      /a user or a password in this URL/,
    ],
    [
      'a prefix without a slash',
      copies(bucket({ prefix: 'clusters' })),
      /is not a prefix that ends with a slash/,
    ],
    ['a key in plain text', copies(bucket({ secretAccessKey: 'hunter2' })), /`secretAccessKey` is a secret/],
    [
      'one name twice',
      copies(offsite(), offsite({ directory: '/srv/other' })),
      /another copy is called offsite as well → a name of its own/,
    ],
    [
      'one place twice',
      copies(bucket(), `{ name: b, s3: ${s3({ prefix: '' })} }`),
      /another copy lies in the same place/,
    ],
    [
      'what `keep` deletes',
      copies(offsite({ host: 'localhost', directory: 'playsmith/kept/edge-a/etcd' })),
      /this folder is inside of ~\/playsmith\/kept on the Ansible server, where `keep` deletes the oldest/,
    ],
  ])('%s', (_, backup, expected) => {
    expect(said(defined(backup))).toEqual([expect.stringMatching(expected)]);
  });
});

test('HTTP is taken where it is allowed, and a folder beside what is kept is no fault', () => {
  expect(said(defined(copies(bucket({ endpoint: 'http://127.0.0.1:9000', allowHttp: 'true' }))))).toEqual([]);
  expect(said(defined(copies(offsite({ host: 'localhost', directory: '/srv/etcd' }))))).toEqual([]);
});

test('a run is given the keys that it needs, and only a restore the one that decrypts', () => {
  const { cluster } = loaded(
    defined(`{ encryptTo: [${key}], decryptWith: { file: id }, copies: [${bucket()}] }`),
  );
  const names = (playbook: string, variables = {}): readonly string[] =>
    secretsOf(cluster, playbook, variables).flatMap(({ variable }) =>
      variable.includes('backup') ? [variable] : [],
    );
  const keys = ['vault_backup_the_bucket_access_key_id', 'vault_backup_the_bucket_secret_access_key'];
  expect(names('instantiate')).toEqual([]);
  expect(names('etcd-backup')).toEqual(keys);
  for (const playbook of ['restore', 'etcd-restore']) {
    expect(names(playbook)).toEqual(['vault_backup_identity']);
    expect(names(playbook, { etcd_restore_from: 'the-bucket' })).toEqual(
      ['vault_backup_identity', ...keys].sort(),
    );
  }
});

test('jobs need the keys of copies on the server, and never the one that decrypts', () => {
  const schedule = 'schedule: { jobs: [{ job: etcd-backup, onCalendar: daily }] }\n';
  const only = (backup: string): string => said(defined(backup, schedule)).join();
  expect(only(`{ encryptTo: [${key}], decryptWith: { file: id } }`)).not.toContain('no client');
  expect(only(copies(bucket()))).toContain('runs need installer.kubeadm.backup.copies[0].s3.accessKeyId');
});
