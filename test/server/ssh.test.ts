import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { AnsibleServer } from '../../generators/cluster/cluster.ts';
import type { Result } from '../../generators/result.ts';
import type { Failure } from '../../tasks/runtime/failures.ts';
import type { Server } from '../../tasks/runtime/server.ts';
import type { SshEnvironment } from '../../tasks/runtime/ssh/client-config.ts';
import { connect } from '../../tasks/steps/server/connect.ts';
import { failure, sshServer, value } from '../support/server/ansible-server.ts';
import { startSshd, type Sshd } from '../support/server/sshd.ts';

let sshd: Sshd;
let open: Server[] = [];
let homes: string[] = [];

beforeAll(async () => {
  sshd = await startSshd(['PasswordAuthentication yes']);
});
afterAll(() => {
  sshd.close();
});
afterEach(async () => {
  for (const server of open) await server.close();
  for (const home of homes) rmSync(home, { recursive: true, force: true });
  open = [];
  homes = [];
});

type Definition = Partial<Extract<AnsibleServer, { kind: 'ssh' }>>;

async function reach(
  definition: Definition,
  around: SshEnvironment = sshd.around,
): Promise<Result<Server, Failure>> {
  const reached = await connect(sshServer(sshd, '~/playsmith', definition), { around });
  if (reached.ok) open.push(reached.value);
  return reached;
}

/** A home folder with these files below `.ssh`. */
function home(files: Readonly<Record<string, string>>): SshEnvironment {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-home-'));
  homes.push(folder);
  mkdirSync(join(folder, '.ssh'), { mode: 0o700 });
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, '.ssh', name), text, { mode: 0o600 });
  return { ...sshd.around, home: folder };
}

const answers = async (reached: Result<Server, Failure>): Promise<string> =>
  value(await value(reached).run({ argv: ['echo', 'it is', 'me'] })).stdout;

const key = (): string => readFileSync(sshd.privateKey, 'utf8');
const knownHosts = (): string => readFileSync(join(sshd.around.home, '.ssh', 'known_hosts'), 'utf8');
const otherKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDWgFv5IcSGWEWcBLtnmlFHKdYCT6R0kvDmsCWtDpzkQ';

describe('logging in', () => {
  test('with the key that OpenSSH would take', async () => {
    expect(await answers(await reach({}))).toBe('it is me\n');
  });

  test('with a key that has a passphrase', async () => {
    const around = home({ id: key(), known_hosts: knownHosts() });
    const path = join(around.home, '.ssh', 'id');
    execFileSync('ssh-keygen', ['-q', '-p', '-P', '', '-N', 'open sesame', '-f', path]);
    writeFileSync(`${path}.pass`, 'open sesame\n');
    const passphrase = { kind: 'file', path: `${path}.pass` } as const;
    expect(await answers(await reach({ auth: { kind: 'privateKey', path, passphrase } }, around))).toBe(
      'it is me\n',
    );
    const without = failure(await reach({ auth: { kind: 'privateKey', path, passphrase: null } }, around));
    expect(without).toMatchObject({
      kind: 'authentication',
      message: expect.stringContaining('needs a passphrase') as string,
    });
  });

  test('with an agent, also when it may offer one key only', async () => {
    const around = home({
      known_hosts: knownHosts(),
      'id_ed25519.pub': readFileSync(`${sshd.privateKey}.pub`, 'utf8'),
    });
    const socket = join(around.home, 'agent');
    const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: ['ignore', 'pipe', 'ignore'] });
    await new Promise((resolve) => agent.stdout.once('data', resolve));
    execFileSync('ssh-add', ['-q', sshd.privateKey], { env: { ...process.env, SSH_AUTH_SOCK: socket } });
    try {
      const withAgent = { ...around, agent: socket };
      expect(await answers(await reach({ auth: { kind: 'agent' } }, withAgent))).toBe('it is me\n');
      writeFileSync(
        join(around.home, '.ssh', 'config'),
        'IdentitiesOnly yes\nIdentityFile ~/.ssh/id_ed25519\n',
      );
      expect(await answers(await reach({}, withAgent))).toBe('it is me\n');
      writeFileSync(join(around.home, '.ssh', 'id_ed25519.pub'), `${otherKey}\n`);
      expect(failure(await reach({}, withAgent)).kind).toBe('authentication');
    } finally {
      agent.kill();
    }
  });

  test('with a wrong password says what was tried and what is offered, not the password', async () => {
    const around = home({ known_hosts: knownHosts(), password: 'canary-password\n' });
    const password = { kind: 'file', path: join(around.home, '.ssh', 'password') } as const;
    const refused = failure(await reach({ auth: { kind: 'password', password } }, around));
    expect(refused).toMatchObject({
      kind: 'authentication',
      message: expect.stringMatching(/refused the password.*offers publickey, ?password/) as string,
    });
    expect(JSON.stringify(refused)).not.toContain('canary');
  });

  test('with nothing at all says so', async () => {
    const refused = failure(await reach({}, home({ known_hosts: knownHosts() })));
    expect(refused).toMatchObject({
      message: expect.stringMatching(/nothing to log in with; it offers publickey/) as string,
    });
  });

  test('with a secret that has no value is refused before any connection', async () => {
    const password = { kind: 'env', name: 'PLAYSMITH_TEST_NOT_SET' } as const;
    expect(failure(await reach({ port: 1, auth: { kind: 'password', password } })).kind).toBe('secret');
  });
});

test('a file goes there for its user alone, and comes back', async () => {
  const { transport } = value(await reach({}));
  const folder = home({ from: 'x'.repeat(300_000) }).home;
  const [from, there, back] = ['.ssh/from', 'there', 'back'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  expect(await transport.upload(from, there)).toEqual({ ok: true, value: undefined });
  expect(statSync(there).mode & 0o777).toBe(0o600);
  writeFileSync(back, '', { mode: 0o640 });
  expect(await transport.download(there, { to: back, most: 300_000 })).toEqual({
    ok: true,
    value: undefined,
  });
  expect(readFileSync(back, 'utf8')).toHaveLength(300_000);
  expect(statSync(back).mode & 0o777).toBe(0o640);
  expect(await transport.put(Buffer.from('y'), there)).toEqual({ ok: true, value: undefined });
  expect(readFileSync(there, 'utf8')).toBe('y');
});

describe('the host key', () => {
  test('of an unknown server is shown, with two ways to trust it', async () => {
    const refused = failure(await reach({}, home({ id_ed25519: key() })));
    expect(refused).toMatchObject({
      kind: 'host-key',
      message: expect.stringContaining(sshd.fingerprint) as string,
    });
    expect(refused).toMatchObject({
      next: expect.stringMatching(/npx task trust.*ansibleServer\.hostKey/) as string,
    });
  });

  test('that changed is refused, with the line that knows the old one', async () => {
    const known = `# a comment\n[127.0.0.1]:${sshd.port} ${otherKey}\n`;
    const around = home({ id_ed25519: key(), known_hosts: known });
    expect(failure(await reach({}, around))).toMatchObject({
      kind: 'host-key',
      message: expect.stringContaining(`${around.home}/.ssh/known_hosts:2`) as string,
    });
  });

  test('is found in hashed entries', async () => {
    const around = home({ id_ed25519: key(), known_hosts: knownHosts() });
    execFileSync('ssh-keygen', ['-q', '-H', '-f', join(around.home, '.ssh', 'known_hosts')], {
      stdio: 'ignore',
    });
    expect(readFileSync(join(around.home, '.ssh', 'known_hosts'), 'utf8')).toMatch(/^\|1\|/);
    expect(await answers(await reach({}, around))).toBe('it is me\n');
  });

  test('that is revoked is refused, although another line trusts it', async () => {
    const known = `${knownHosts()}@revoked * ${sshd.hostKey}\n`;
    const refused = failure(await reach({}, home({ id_ed25519: key(), known_hosts: known })));
    expect(refused).toMatchObject({
      kind: 'host-key',
      message: expect.stringContaining('revokes') as string,
    });
  });

  test('is pinned by the definition, as a fingerprint or whole, whatever known_hosts says', async () => {
    const around = home({ id_ed25519: key() });
    expect(await answers(await reach({ hostKey: sshd.fingerprint }, around))).toBe('it is me\n');
    expect(await answers(await reach({ hostKey: sshd.hostKey }, around))).toBe('it is me\n');
    for (const hostKey of [otherKey, 'SHA256:AAAA'])
      expect(failure(await reach({ hostKey }, { ...sshd.around, home: around.home })).kind).toBe('host-key');
  });

  test('of another type is asked for when that is the one that is known', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'playsmith-ecdsa-'));
    execFileSync('ssh-keygen', ['-q', '-t', 'ecdsa', '-N', '', '-f', join(folder, 'ecdsa')]);
    const two = await startSshd([`HostKey ${join(folder, 'ecdsa')}`]);
    const ecdsa = readFileSync(join(folder, 'ecdsa.pub'), 'utf8').split(' ').slice(0, 2).join(' ');
    writeFileSync(join(two.around.home, '.ssh', 'known_hosts'), `[127.0.0.1]:${two.port} ${ecdsa}\n`);
    const reached = value(await connect(sshServer(two, '~/x'), { around: two.around }));
    await reached.close();
    two.close();
    rmSync(folder, { recursive: true });
  });
});

describe('~/.ssh/config', () => {
  test('gives host, port, user, key and known_hosts of an alias, also from an included file', async () => {
    const around = home({
      'other-known': knownHosts(),
      'my-key': key(),
      config: 'Include conf.d/*\nHost *\n  User nobody-at-all\n',
    });
    mkdirSync(join(around.home, '.ssh', 'conf.d'));
    writeFileSync(
      join(around.home, '.ssh', 'conf.d', 'lab'),
      `Host lab\n  HostName 127.0.0.1\n  Port ${sshd.port}\n  User ${userInfo().username}\n  IdentityFile ~/.ssh/my-key\n  UserKnownHostsFile ~/.ssh/other-known\n`,
    );
    expect(await answers(await reach({ host: 'lab', port: 0 }, around))).toBe('it is me\n');
  });

  test('leads through jump hosts, each with its own host key checked', async () => {
    const jump = await startSshd();
    const known = `${knownHosts()}[127.0.0.1]:${jump.port} ${jump.hostKey}\n`;
    const config = `Host jump\n  HostName 127.0.0.1\n  Port ${jump.port}\n  IdentityFile ${jump.privateKey}\n`;
    const around = home({
      id_ed25519: key(),
      known_hosts: known,
      config: `${config}Host target\n  HostName 127.0.0.1\n  Port ${sshd.port}\n  ProxyJump jump\n`,
    });
    expect(await answers(await reach({ host: 'target', port: 0 }, around))).toBe('it is me\n');
    writeFileSync(join(around.home, '.ssh', 'known_hosts'), knownHosts());
    const refused = failure(await reach({ host: 'target', port: 0 }, around));
    expect(refused).toMatchObject({
      kind: 'host-key',
      message: expect.stringContaining(`:${jump.port}`) as string,
    });
    jump.close();
  });

  test('with two jump hosts in the definition goes through both', async () => {
    const jump = await startSshd();
    const known = `${knownHosts()}[127.0.0.1]:${jump.port} ${jump.hostKey}\n`;
    const around = home({
      id_ed25519: key(),
      other: readFileSync(jump.privateKey, 'utf8'),
      known_hosts: known,
      config: 'IdentityFile ~/.ssh/id_ed25519\nIdentityFile ~/.ssh/other\n',
    });
    const proxyJump = `127.0.0.1:${jump.port},${userInfo().username}@127.0.0.1:${sshd.port}`;
    expect(await answers(await reach({ proxyJump }, around))).toBe('it is me\n');
    jump.close();
  });
});
