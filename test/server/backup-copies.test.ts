import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runModule, type Host, type ModuleResult } from '../support/module.ts';
import { startSshd, type Sshd } from '../support/server/sshd.ts';

// Copies of snapshots on a real SFTP server: OpenSSH's, on loopback.
let sshd: Sshd;
let folder: string;
beforeAll(async () => {
  sshd = await startSshd();
});
afterAll(() => {
  sshd.close();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'playsmith-copies-'));
  mkdirSync(join(folder, 'kept'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const [first, second, third] = ['20260101T000000Z', '20260102T000000Z', '20260103T000000Z'] as const;
const sum = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');

function keep(stem: string): Buffer {
  const data = randomBytes(300_000);
  writeFileSync(join(folder, 'kept', `${stem}.db.age`), data, { mode: 0o600 });
  writeFileSync(join(folder, 'kept', `${stem}.db.age.sha256`), `${sum(data)}  ${stem}.db.age\n`);
  writeFileSync(join(folder, 'kept', `${stem}.json`), '{"revision": 42}\n');
  return data;
}

const partsOf = (...stems: readonly string[]): string[] =>
  stems.flatMap((stem) => ['.db.age', '.db.age.sha256', '.json'].map((end) => stem + end));

interface Told {
  readonly hostKey?: string;
  readonly port?: number;
  readonly keep?: number;
  readonly directory?: string;
  readonly more?: Readonly<Record<string, unknown>>;
  readonly host?: Host;
}

const copies = ({
  hostKey = sshd.hostKey,
  port = sshd.port,
  keep: most = 2,
  directory = join(folder, 'far/away'),
  more = {},
  host = {},
}: Told = {}): ModuleResult =>
  runModule(
    'snapshot_copies',
    {
      folder: join(folder, 'kept'),
      cluster: 'edge-a',
      copies: [
        {
          name: 'offsite',
          keep: most,
          sftp: {
            host: '127.0.0.1',
            port,
            user: userInfo().username,
            private_key: sshd.privateKey,
            host_key: hostKey,
            directory,
          },
        },
      ],
      ...more,
    },
    host,
  ).result;

const there = (): string[] => readdirSync(join(folder, 'far/away/edge-a')).sort();

describe('a copy on an SFTP server', () => {
  test('has what the Ansible server keeps, for its user alone; a second time nothing is sent', () => {
    const data = keep(first);
    expect(copies()).toMatchObject({ changed: true, snapshot: first });
    expect(there()).toEqual(partsOf(first));
    const path = join(folder, 'far/away/edge-a', `${first}.db.age`);
    expect(sum(readFileSync(path))).toBe(sum(data));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(copies()).toMatchObject({ changed: false });
    expect(readdirSync(join(folder, 'kept')).sort()).toEqual(partsOf(first));
  });

  test('loses its oldest beyond those that it keeps, and what an upload left that was cut; other files stay', () => {
    for (const stem of [first, second]) {
      keep(stem);
      copies();
    }
    const strangers = ['notes.txt', `x${first}.db.age`, '.hidden.part', `${first}.tar`];
    for (const name of [...strangers, `.${third}.db.age.part`])
      writeFileSync(join(folder, 'far/away/edge-a', name), 'a');
    mkdirSync(join(folder, 'far/away/edge-b'));
    writeFileSync(join(folder, 'far/away/edge-b', `${first}.db.age`), 'of another cluster');
    keep(third);
    expect(copies().done).toHaveLength(2);
    expect(there()).toEqual([...strangers, ...partsOf(second, third)].sort());
    expect(existsSync(join(folder, 'far/away/edge-b', `${first}.db.age`))).toBe(true);
  });

  test('comes back as it went, and not when it was changed there', () => {
    const data = keep(first);
    copies();
    for (const name of partsOf(first)) rmSync(join(folder, 'kept', name));
    const more = { state: 'fetched', source: 'offsite', name: 'latest' };
    expect(copies({ more })).toMatchObject({ changed: true, snapshot: first });
    expect(sum(readFileSync(join(folder, 'kept', `${first}.db.age`)))).toBe(sum(data));
    expect(copies({ more })).toMatchObject({ changed: false });
    rmSync(join(folder, 'kept', `${first}.db.age`));
    writeFileSync(join(folder, 'far/away/edge-a', `${first}.db.age`), 'changed');
    expect(copies({ more }).msg).toBe(`offsite: ${first}.db.age is not what its checksum was made of`);
    expect(existsSync(join(folder, 'kept', `${first}.db.age`))).toBe(false);
  });

  test('is not made with a host that shows another key, or that does not answer; the reason is said', () => {
    keep(first);
    const whole = `The snapshot ${join(folder, 'kept', `${first}.db.age`)} is whole on this Ansible server, but 1 of 1 copies failed: offsite: `;
    const hostKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHpaCoSjuFvL7LqCbj2HiRUKUvMv8xH/c6bZ9GeC+fXb';
    expect(copies({ hostKey }).msg).toBe(`${whole}Host key verification failed.`);
    expect(copies({ port: 1 }).msg).toContain(`${whole}ssh: connect to host 127.0.0.1 port 1: `);
    expect(existsSync(join(folder, 'far'))).toBe(false);
  });

  test('that cannot be written says so', () => {
    keep(first);
    writeFileSync(join(folder, 'file'), '');
    expect(copies({ directory: join(folder, 'file') }).msg).toMatch(/offsite: Can't ls: .*not found/);
  });

  test('is not made in check mode', () => {
    keep(first);
    expect(copies({ host: { isCheck: true } })).toMatchObject({ changed: true });
    expect(existsSync(join(folder, 'far'))).toBe(false);
  });
});
