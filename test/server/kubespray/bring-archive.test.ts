import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Server } from '../../../tasks/runtime/server.ts';
import { bringArchive, checkArchive } from '../../../tasks/steps/server/bring-archive.ts';
import { failure, overSsh, value } from '../../support/server/ansible-server.ts';
import { sha256 } from '../../support/server/publishers.ts';
import { startSshd, type Sshd } from '../../support/server/sshd.ts';

const content = 'a checkout of kubespray '.repeat(1000);
let sshd: Sshd;
let server: Server;
let folder: string;
let local: string;

beforeAll(async () => {
  sshd = await startSshd();
  folder = mkdtempSync(join(tmpdir(), 'playsmith-archive-'));
  server = await overSsh(sshd, folder);
  local = join(folder, 'here.tar.gz');
  writeFileSync(local, content);
});

afterAll(async () => {
  await server.close();
  sshd.close();
  rmSync(folder, { recursive: true });
});

const meant = (path: string, sum = sha256(content)) =>
  ({ kind: 'archive', path: join(folder, path), sha256: sum }) as const;

describe('the archive of kubespray', () => {
  test('is brought to its place, whose folder is made, and only once', async () => {
    const archive = meant("srv/kube spray's.tar.gz");
    expect(value(await bringArchive(server, local, archive))).toBe('brought');
    expect(readFileSync(archive.path, 'utf8')).toBe(content);
    expect(value(await bringArchive(server, '/nowhere', archive))).toBe('there');
  });

  test('takes the place of what another version left there', async () => {
    const archive = meant('old.tar.gz');
    writeFileSync(archive.path, 'old');
    expect(value(await bringArchive(server, local, archive))).toBe('brought');
    expect(readFileSync(archive.path, 'utf8')).toBe(content);
  });

  test('is not taken when something else arrives', async () => {
    const archive = meant('other.tar.gz', sha256('something else'));
    expect(failure(await bringArchive(server, local, archive))).toMatchObject({
      kind: 'server',
      evidence: 'what arrived has another SHA-256 sum than what was sent',
    });
    expect(existsSync(archive.path)).toBe(false);
    expect(existsSync(`${archive.path}.partial`)).toBe(false);
  });

  test('is refused with the reason where its folder cannot be made', async () => {
    writeFileSync(join(folder, 'file'), '');
    const refused = failure(await bringArchive(server, local, meant('file/kubespray.tar.gz')));
    expect(refused).toMatchObject({ kind: 'server', evidence: expect.stringContaining('mkdir: ') as string });
  });

  test('is the one that the definition names, or is refused before any connection', async () => {
    expect(value(await checkArchive(local, meant('srv')))).toEqual(meant('srv'));
    const wrong = failure(await checkArchive(local, meant('srv', 'a'.repeat(64))));
    expect(wrong.kind).toBe('usage');
    expect(wrong.message).toContain(sha256(content));
    expect(failure(await checkArchive(`${local}.gone`, meant('srv'))).message).toContain('cannot be read');
    expect(failure(await checkArchive(local, { kind: 'path', commit: '', tree: '' })).message).toContain(
      'no installer.kubespray.archive',
    );
  });
});
