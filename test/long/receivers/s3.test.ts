import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { runModule, type Host, type ModuleResult } from '../../support/module.ts';
import { startS3, type S3Server } from '../../support/server/s3-server.ts';

// Copies of snapshots on a real S3 server: Versity's gateway, which judges signatures and checksums itself.
let s3: S3Server;
let folder: string;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => {
  s3.close();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'playsmith-kept-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const name of readdirSync(s3.files)) rmSync(join(s3.files, name), { recursive: true });
});

const [first, second, third] = ['20260101T000000Z', '20260102T000000Z', '20260103T000000Z'] as const;
const sum = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');

function keep(stem: string, size = 300_000): Buffer {
  const data = randomBytes(size);
  writeFileSync(join(folder, `${stem}.db.age`), data, { mode: 0o600 });
  writeFileSync(join(folder, `${stem}.db.age.sha256`), `${sum(data)}  ${stem}.db.age\n`);
  return data;
}

const partsOf = (...stems: readonly string[]): string[] =>
  stems.flatMap((stem) => ['.db.age', '.db.age.sha256'].map((end) => stem + end));

const copies = (
  place: Readonly<Record<string, unknown>> = {},
  more: Readonly<Record<string, unknown>> = {},
  host: Host = {},
): ModuleResult =>
  runModule(
    'snapshot_copies',
    {
      folder,
      cluster: 'edge-a',
      copies: [
        {
          name: 'bucket',
          keep: 2,
          s3: {
            ...{ endpoint: s3.endpoint, bucket: s3.bucket, prefix: 'clusters/', ca: s3.ca },
            ...{ access_key_id: s3.accessKeyId, secret_access_key: s3.secretAccessKey },
            ...place,
          },
        },
      ],
      ...more,
    },
    host,
  ).result;

const there = (cluster = 'edge-a'): string[] => readdirSync(join(s3.files, 'clusters', cluster)).sort();

test('a bucket gets what the Ansible server keeps, over TLS, byte for byte; a second time nothing is sent', () => {
  const data = keep(first);
  expect(copies()).toMatchObject({ changed: true, snapshot: first });
  expect(there()).toEqual(partsOf(first));
  expect(sum(readFileSync(join(s3.files, 'clusters/edge-a', `${first}.db.age`)))).toBe(sum(data));
  expect(copies()).toMatchObject({ changed: false });
});

test('it loses its oldest beyond those that it keeps, in pages of a thousand; nothing else is touched', () => {
  for (const stem of [first, second]) {
    keep(stem);
    copies();
  }
  mkdirSync(join(s3.files, 'clusters/edge-b'));
  for (const stem of [first, second, third])
    writeFileSync(join(s3.files, 'clusters/edge-b', `${stem}.db.age`), 'of another cluster');
  const strangers = Array.from({ length: 1100 }, (_, index) => `1-${String(index + 1000)}.db.age`);
  for (const name of strangers) writeFileSync(join(s3.files, 'clusters/edge-a', name), '');
  keep(third);
  expect(copies()).toMatchObject({ changed: true, snapshot: third });
  expect(there()).toEqual([...strangers, ...partsOf(second, third)].sort());
  expect(there('edge-b')).toHaveLength(3);
});

test('it gives back what it was sent, and what was changed there is refused', () => {
  const data = keep(first);
  copies();
  for (const name of partsOf(first)) rmSync(join(folder, name));
  const fetched = { state: 'fetched', source: 'bucket', name: first };
  expect(copies({}, fetched)).toMatchObject({ changed: true, snapshot: first });
  expect(sum(readFileSync(join(folder, `${first}.db.age`)))).toBe(sum(data));
  rmSync(join(folder, `${first}.db.age`));
  writeFileSync(join(s3.files, 'clusters/edge-a', `${first}.db.age`), data.fill(0, 0, 1));
  expect(copies({}, fetched).msg).toBe(`bucket: ${first}.db.age is not what its checksum was made of`);
});

test('what is larger than one request may be goes in parts', () => {
  const data = keep(first, 13 * 2 ** 20);
  const host = { replaced: { 'LARGEST, PART = 5 * 2**30, 2**30': 'LARGEST, PART = 2**20, 5 * 2**20' } };
  expect(copies({}, {}, host)).toMatchObject({ changed: true });
  expect(sum(readFileSync(join(s3.files, 'clusters/edge-a', `${first}.db.age`)))).toBe(sum(data));
});

test('the server refuses bytes that are not those whose checksum was signed, and nothing is there then', () => {
  keep(first);
  const host = { replaced: { 'body=(file, size, checksum)': 'body=(file, size, "0" * 64)' } };
  expect(copies({}, {}, host).msg).toMatch(/failed: bucket: 400 .*SHA256/i);
  // What is hidden is the server's own.
  expect(readdirSync(s3.files).filter((name) => !name.startsWith('.'))).toEqual([]);
});

test.each([
  [{ secret_access_key: 'another/key' }, /bucket: 403 SignatureDoesNotMatch: /],
  [{ access_key_id: 'NOBODY' }, /bucket: 40[34] \w+: .*access key/],
  [{ bucket: 'nothing' }, /bucket: 404 NoSuchBucket: /],
  [{ ca: '' }, /bucket: .*CERTIFICATE_VERIFY_FAILED/],
  [{ endpoint: 'https://127.0.0.1:1' }, /bucket: .*refused/],
])('%j is told with the reason, and without a key', (place, reason) => {
  keep(first);
  const { msg = '' } = copies(place);
  expect(msg).toContain(`The snapshot ${join(folder, `${first}.db.age`)} is whole on this Ansible server`);
  expect(msg).toMatch(reason);
  expect(msg).not.toMatch(/another\/key|sesame/);
});
