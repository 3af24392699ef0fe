import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Server } from '../../../../tasks/runtime/server.ts';
import type { ConnectOptions } from '../../../../tasks/runtime/ssh/connect.ts';
import { connect } from '../../../../tasks/steps/server/connect.ts';
import { push } from '../../../../tasks/steps/bundle/push.ts';
import { showHostKey } from '../../../../tasks/steps/server/show-host-key.ts';
import { failure, sshServer, value } from '../../../support/server/ansible-server.ts';
import { bundleOf } from '../../../support/definitions/bundles.ts';
import { frozenProxy } from '../../../support/server/frozen-proxy.ts';
import {
  startSshServer,
  type FakeSshServer,
  type SshServerOptions,
} from '../../../support/server/ssh-server.ts';
import { freePort } from '../../../support/server/sshd.ts';

let directory: string;
let fake: FakeSshServer | undefined;
let server: Server | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'playsmith-'));
});
afterEach(async () => {
  await server?.close();
  await fake?.close();
  rmSync(directory, { recursive: true, force: true });
  server = fake = undefined;
});

const quick: ConnectOptions = { pause: 1, timing: { connect: 300, login: 2000 } };
async function reach(
  options: SshServerOptions,
  definition: Parameters<typeof sshServer>[2] = {},
): Promise<Awaited<ReturnType<typeof connect>>> {
  fake = await startSshServer(options);
  const reached = await connect(sshServer(fake, directory, definition), { around: fake.around, ...quick });
  if (reached.ok) server = reached.value;
  return reached;
}

const withPassword = {
  auth: { kind: 'password', password: { kind: 'command', argv: ['printf', 'canary-password'] } },
} as const;

describe('connecting', () => {
  test('logs in with a password', async () => {
    value(await reach({ password: 'canary-password' }, withPassword));
    expect(fake?.log.slice(0, 2)).toEqual(['connect', 'auth password']);
  });

  test('answers a prompt with the password where the server only asks like that', async () => {
    value(await reach({ keyboard: 'canary-password' }, withPassword));
    expect(fake?.log).toContain('auth keyboard-interactive');
  });

  test('with a wrong password is refused once, not tried again, and shows no password', async () => {
    const refused = failure(await reach({ password: 'another' }, withPassword));
    expect(refused).toMatchObject({
      kind: 'authentication',
      message: expect.stringContaining('offers password') as string,
    });
    expect(JSON.stringify(refused)).not.toContain('canary');
    expect(fake?.log.filter((line) => line === 'connect')).toHaveLength(1);
  });

  test('is tried again when the server hangs up, and succeeds', async () => {
    value(await reach({ faults: { refuse: (connection) => connection < 3 } }));
    expect(fake?.log.filter((line) => line === 'refuse')).toHaveLength(2);
  });

  test('is tried again when the server hangs up before it has judged the login', async () => {
    value(await reach({ faults: { login: (login) => login < 3 } }));
    expect(fake?.log.filter((line) => line === 'connect')).toHaveLength(3);
  });

  test('with a wrong password is not tried again when the server then hangs up', async () => {
    const refused = failure(
      await reach({ password: 'another', faults: { login: (login) => login > 1 } }, withPassword),
    );
    expect(refused.kind).toBe('authentication');
    expect(fake?.log.filter((line) => line === 'connect')).toHaveLength(1);
  });

  test('gives up after three times', async () => {
    expect(failure(await reach({ faults: { refuse: () => true } })).kind).toBe('connection');
    expect(fake?.log.filter((line) => line === 'refuse')).toHaveLength(3);
  });

  test('is given up, and nothing more, when it is reset before anything was said', async () => {
    fake = await startSshServer();
    // Read slowly, so that the reset is there before the key is.
    const key = join(fake.around.home, '.ssh', 'id_ed25519');
    rmSync(key);
    execFileSync('mkfifo', [key]);
    let resets = 0;
    const resetting = createServer((socket) => {
      setImmediate(() => socket.resetAndDestroy());
      resets += 1;
    }).listen(0, '127.0.0.1');
    await once(resetting, 'listening');
    const reached = connect(sshServer({ port: (resetting.address() as AddressInfo).port }, directory), {
      around: fake.around,
      ...quick,
    });
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await sleep(100);
      await writeFile(key, 'no key');
    }
    expect(failure(await reached)).toMatchObject({ kind: 'connection' });
    expect(resets).toBe(3);
    resetting.close();
  });

  test('to a port where nothing listens says so', async () => {
    fake = await startSshServer();
    const nowhere = sshServer({ port: await freePort() }, directory);
    expect(failure(await connect(nowhere, { around: fake.around, ...quick }))).toMatchObject({
      kind: 'connection',
      message: expect.stringContaining('nothing listens on that port') as string,
    });
  });

  test('to a host that has no address says so', async () => {
    fake = await startSshServer();
    const nowhere = sshServer(fake, directory, { host: 'no-such-host.invalid' });
    expect(failure(await connect(nowhere, { around: fake.around, ...quick }))).toMatchObject({
      kind: 'connection',
    });
  });

  test('never logs in where the host key is not the known one, and is not tried again', async () => {
    const refused = failure(await reach({}, { hostKey: 'SHA256:AAAA' }));
    expect(refused.kind).toBe('host-key');
    expect(fake?.log).toEqual(['connect']);
  });
});

const bundle = bundleOf({ 'site.yml': '---\n' });
const pushed = async (options: SshServerOptions): Promise<Awaited<ReturnType<typeof push>>> =>
  push(value(await reach(options)), bundle);

describe('a push', () => {
  test('works over one login', async () => {
    expect(value(await pushed({})).wasThere).toBe(false);
    expect(fake?.log.filter((line) => line.startsWith('connect'))).toHaveLength(1);
    expect(readdirSync(join(directory, 'bundles', 'try'))).toEqual([bundle.digest]);
  });

  test('whose program is cut off is a lost connection', async () => {
    expect(failure(await pushed({ faults: { exec: () => 'drop' } })).kind).toBe('connection');
  });

  test('whose file is cut off is a lost connection, and leaves nothing that counts', async () => {
    expect(failure(await pushed({ faults: { write: 'drop' } })).kind).toBe('connection');
    expect(readdirSync(join(directory, 'bundles', 'try')).filter((name) => !name.startsWith('.'))).toEqual(
      [],
    );
  });

  test('whose file is refused although there is room says what sftp said', async () => {
    expect(failure(await pushed({ faults: { write: 'disk-full' } }))).toMatchObject({
      kind: 'server',
      message: expect.stringContaining('does not accept the file') as string,
      next: expect.stringContaining('Subsystem sftp') as string,
    });
  });

  test('to a server without sftp says so', async () => {
    expect(failure(await pushed({ faults: { sftp: 'refuse' } }))).toMatchObject({
      kind: 'server',
      next: expect.stringContaining('sftp') as string,
    });
  });
});

describe('a file of any size', () => {
  test('that is cut off is a lost connection, and so is the next one', async () => {
    const { transport } = value(await reach({ faults: { write: 'drop' } }));
    const [from, there] = [join(directory, 'from'), join(directory, 'there')];
    await writeFile(from, 'x');
    for (let file = 1; file <= 2; file += 1)
      expect(await transport.upload(from, there)).toMatchObject({
        failure: { lost: { kind: 'connection' } },
      });
  });
});

describe('a program on the server', () => {
  test('gets its input and gives output, line by line, and its exit status', async () => {
    const lines: string[] = [];
    const here = value(await reach({}));
    const ran = await here.run(
      { argv: ['sh', '-c', 'cat; echo problem >&2; exit 3'] },
      { stdin: 'one\ntwo\n', onLine: (line) => lines.push(line) },
    );
    expect(value(ran)).toEqual({ status: 3, stdout: 'one\ntwo\n', stderr: 'problem\n' });
    expect(lines).toEqual(['one', 'two']);
  });

  test('that is cut off is a lost connection', async () => {
    const here = value(await reach({ faults: { exec: () => 'stall' } }));
    const ran = here.run({ argv: ['true'] });
    await fake?.close();
    expect(failure(await ran).kind).toBe('connection');
  });
});

describe('a way that goes silent', () => {
  test('before the handshake is given up, three times', async () => {
    const silent = await frozenProxy(0);
    fake = await startSshServer();
    const reached = await connect(sshServer(silent, directory), { around: fake.around, ...quick });
    expect(failure(reached)).toMatchObject({
      kind: 'connection',
      message: expect.stringContaining('handshake took longer than 0.3 s') as string,
    });
    await silent.close();
  });

  test('in the middle is noticed by keepalive, and is a lost connection', async () => {
    fake = await startSshServer();
    const proxy = await frozenProxy(fake.port);
    const timing = { keepaliveInterval: 50, keepaliveCount: 2 };
    const definition = sshServer(proxy, directory, { hostKey: fake.hostKey });
    server = value(await connect(definition, { around: fake.around, pause: 1, timing }));
    const ran = server.run({ argv: ['cat'] }, { onLine: () => undefined });
    proxy.freeze();
    expect(failure(await ran).kind).toBe('connection');
    await proxy.close();
  });
});

describe('trusting the Ansible server', () => {
  test('shows its key without logging in, and knows it once it is pinned', async () => {
    fake = await startSshServer();
    rmSync(join(fake.around.home, '.ssh', 'known_hosts'));
    const definition = sshServer(fake, directory);
    const shown = value(await showHostKey(definition, fake.around));
    expect(shown).toMatchObject({ name: `[127.0.0.1]:${fake.port}`, isTrusted: false });
    expect(`${shown.type} ${shown.key}`).toContain(fake.hostKey);
    expect(fake.log).toEqual(['connect']);
    const pinned = { ...definition, hostKey: shown.fingerprint };
    server = value(await connect(pinned, { around: fake.around }));
  });
});
