import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connect } from '../../tasks/steps/server/connect.ts';
import { push } from '../../tasks/steps/bundle/push.ts';
import {
  failure,
  locally,
  overSsh,
  serverFolder,
  smallDisk,
  sshServer,
  value,
} from '../support/server/ansible-server.ts';
import { bundleOf } from '../support/definitions/bundles.ts';
import { delayProxy } from '../support/server/delay-proxy.ts';
import { startSshd, type Sshd } from '../support/server/sshd.ts';
import type { Server } from '../../tasks/runtime/server.ts';

const bundle = bundleOf({
  'site.yml': '---\n',
  'files/check.sh': '#!/bin/sh\n',
  'ünïcode ☃.yml': 'text: "\u2028 ☃ \\u0001"\n',
});

let sshd: Sshd;
let directory: string;
const open: Server[] = [];
const reach = async (where: 'ssh' | 'local', folder = directory): Promise<Server> => {
  const server = await (where === 'ssh' ? overSsh(sshd, folder) : locally(folder));
  open.push(server);
  return server;
};

beforeAll(async () => {
  sshd = await startSshd();
});
afterAll(() => {
  sshd.close();
});
beforeEach(() => {
  directory = serverFolder();
});
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
  rmSync(directory, { recursive: true, force: true });
});

const place = (): string => join(directory, 'bundles', 'try');

describe.each(['ssh', 'local'] as const)('a push (%s)', (where) => {
  test('brings every file with its mode, and nothing else stays', async () => {
    const pushed = value(await push(await reach(where), bundle));
    expect(pushed).toMatchObject({ digest: bundle.digest, wasThere: false });
    expect(pushed.bytes).toBeGreaterThan(0);
    expect(readdirSync(place())).toEqual([bundle.digest]);
    expect(readdirSync(join(place(), bundle.digest)).sort()).toEqual(
      ['files', 'manifest.json', 'site.yml', 'ünïcode ☃.yml'].sort(),
    );
  });

  test('sends nothing when the bundle is there', async () => {
    const server = await reach(where);
    value(await push(server, bundle));
    expect(value(await push(server, bundle))).toEqual({ digest: bundle.digest, bytes: 0, wasThere: true });
  });

  test('two pushes of the same bundle at once both succeed', async () => {
    const [one, other] = await Promise.all([reach(where), reach(where)]);
    const pushed = await Promise.all([push(one, bundle), push(other, bundle)]);
    expect(pushed.map(({ ok }) => ok)).toEqual([true, true]);
    expect(readdirSync(place())).toEqual([bundle.digest]);
  });

  test('refuses what is not what the digest says, and leaves nothing of it', async () => {
    const forged = { ...bundle, files: bundle.files.map((file) => ({ ...file, text: `${file.text} ` })) };
    const refused = failure(await push(await reach(where), forged));
    expect(refused.kind).toBe('bundle');
    expect(readdirSync(place())).toEqual([]);
  });

  test('names the file that was changed on the server', async () => {
    const server = await reach(where);
    value(await push(server, bundle));
    writeFileSync(join(place(), bundle.digest, 'site.yml'), '--- # changed\n');
    writeFileSync(join(place(), bundle.digest, 'more.yml'), '---\n');
    chmodSync(join(place(), bundle.digest, 'files', 'check.sh'), 0o777);
    const refused = failure(await push(server, bundle));
    expect(refused).toMatchObject({
      kind: 'bundle',
      evidence: expect.stringMatching(
        /not in the manifest: more\.yml\nmode 0777 instead of 0755: files\/check\.sh\nchanged: site\.yml/,
      ) as string,
    });
  });

  test('names a full disk', async () => {
    const disk = smallDisk(64);
    try {
      const big = bundleOf({
        'big.txt': randomBytes(300_000).toString('hex'),
      });
      const refused = failure(await push(await reach(where, disk.folder), big));
      expect(refused).toMatchObject({
        kind: 'server',
        message: expect.stringContaining('disk is full') as string,
      });
      expect(refused).toMatchObject({ evidence: expect.stringMatching(/\d+ bytes free/) as string });
      expect(readdirSync(join(disk.folder, 'bundles', 'try'))).toEqual([]);
    } finally {
      disk.unmount();
    }
  });

  test('names a folder that it cannot make', async () => {
    writeFileSync(join(directory, 'file'), '');
    const refused = failure(await push(await reach(where, join(directory, 'file', 'below')), bundle));
    expect(refused).toMatchObject({
      kind: 'server',
      message: expect.stringContaining('a part of the path is a file') as string,
    });
  });

  test('removes leftovers of interrupted pushes that are older than a day, and no others', async () => {
    mkdirSync(place(), { recursive: true });
    const [old, fresh] = ['.aa.partial', '.bb.partial'].map((name) => join(place(), name)) as [
      string,
      string,
    ];
    for (const path of [old, fresh]) writeFileSync(path, '');
    const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
    utimesSync(old, twoDaysAgo, twoDaysAgo);
    value(await push(await reach(where), bundle));
    expect([existsSync(old), existsSync(fresh)]).toEqual([false, true]);
  });
});

test('a read-only file system is named', async () => {
  const disk = smallDisk(64);
  try {
    execFileSync('mount', ['-o', 'remount,ro', disk.folder]);
    const refused = failure(await push(await reach('local', disk.folder), bundle));
    expect(refused).toMatchObject({
      kind: 'server',
      message: expect.stringContaining('read-only') as string,
    });
  } finally {
    disk.unmount();
  }
});

describe('round trips after the login', () => {
  test('are at most 5 when the bundle is there, and 9 when it is not', async () => {
    const proxy = await delayProxy(sshd.port, 40);
    const definition = sshServer(proxy, directory, { hostKey: sshd.fingerprint });
    const counted = async (): Promise<number> => {
      const server = value(await connect(definition, { around: sshd.around }));
      open.push(server);
      proxy.reset();
      value(await push(server, bundle));
      return proxy.roundTrips();
    };
    expect(await counted()).toBeLessThanOrEqual(9);
    expect(await counted()).toBeLessThanOrEqual(5);
    await proxy.close();
  });
});
