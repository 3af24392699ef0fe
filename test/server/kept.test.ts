import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Event } from '../../tasks/runtime/events.ts';
import type { Server } from '../../tasks/runtime/server.ts';
import { takeKubeconfig } from '../../tasks/steps/state/kubeconfig.ts';
import type { Session } from '../../tasks/steps/server/session.ts';
import { takeSnapshot } from '../../tasks/steps/state/snapshot.ts';
import { failure, locally, overSsh, serverFolder, value } from '../support/server/ansible-server.ts';
import { startSshd, type Sshd } from '../support/server/sshd.ts';

let sshd: Sshd;
let directory: string;
let here: string;
let server: Server;
const told: Event[] = [];
const printed: string[] = [];

beforeAll(async () => {
  sshd = await startSshd();
});
afterAll(() => {
  sshd.close();
});
beforeEach(() => {
  directory = serverFolder();
  here = mkdtempSync(join(tmpdir(), 'playsmith-here-'));
  mkdirSync(join(directory, 'kept/try/etcd'), { recursive: true });
});
afterEach(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
  rmSync(here, { recursive: true, force: true });
  told.length = printed.length = 0;
});

const session = async (where: 'ssh' | 'local'): Promise<Session> => {
  server = await (where === 'ssh' ? overSsh(sshd, directory) : locally(directory));
  // Of a cluster these steps read nothing but its name.
  return {
    cluster: { name: 'try' } as Session['cluster'],
    file: join(here, 'cluster.yml'),
    text: '',
    server,
  };
};
const world = {
  get cwd(): string {
    return here;
  },
  report: (event: Event): void => {
    told.push(event);
  },
  print: (text: string): void => {
    printed.push(text);
  },
};
const kubeconfig = (authority: string, token = 'one'): string =>
  JSON.stringify({
    kind: 'Config',
    clusters: [{ name: 'try', cluster: { 'certificate-authority-data': authority } }],
    users: [{ name: 'admin', user: { token } }],
  });
const keep = (path: string, text: string | Uint8Array): void => {
  writeFileSync(join(directory, 'kept/try', path), text);
};
const mode = (path: string): number => statSync(join(here, path)).mode & 0o777;
const wish = { to: undefined, force: false };

describe.each(['ssh', 'local'] as const)('a kubeconfig (%s)', (where) => {
  test('lies beside the definition for its user alone, and no longer on the server', async () => {
    keep('kubeconfig', kubeconfig('CA'));
    value(await takeKubeconfig(await session(where), wish, world));
    expect(readFileSync(join(here, '.playsmith/try/kubeconfig'), 'utf8')).toBe(kubeconfig('CA'));
    expect(mode('.playsmith/try/kubeconfig')).toBe(0o600);
    expect(printed).toEqual(['.playsmith/try/kubeconfig']);
    expect(told).toContainEqual({
      type: 'note',
      text: expect.stringContaining('export KUBECONFIG=') as string,
    });
    expect(existsSync(join(directory, 'kept/try/kubeconfig'))).toBe(false);
  });

  test('replaces older credentials of the same cluster, and no other file unless told to', async () => {
    const to = join(here, 'config');
    writeFileSync(to, kubeconfig('CA', 'old'));
    keep('kubeconfig', kubeconfig('CA', 'new'));
    const at = await session(where);
    value(await takeKubeconfig(at, { to, force: false }, world));
    expect(readFileSync(to, 'utf8')).toContain('new');

    writeFileSync(to, kubeconfig('another CA', 'precious'));
    keep('kubeconfig', kubeconfig('CA'));
    expect(failure(await takeKubeconfig(at, { to, force: false }, world))).toMatchObject({
      kind: 'file',
      next: expect.stringContaining('--force') as string,
    });
    expect(readFileSync(to, 'utf8')).toContain('precious');
    expect(existsSync(join(directory, 'kept/try/kubeconfig'))).toBe(false);

    keep('kubeconfig', kubeconfig('CA'));
    value(await takeKubeconfig(at, { to, force: true }, world));
    expect(readFileSync(to, 'utf8')).toBe(kubeconfig('CA'));
    expect(readdirSync(here)).toEqual(['config']);
  });
});

test('a kubeconfig of a tenant has a name of its own, and leaves that of the administrator alone', async () => {
  keep('kubeconfig', kubeconfig('CA', 'of the administrator'));
  keep('tenant-kubeconfig', kubeconfig('CA', 'of the tenant'));
  value(await takeKubeconfig(await session('ssh'), { ...wish, cnf: 'web' }, world));
  expect(readFileSync(join(here, '.playsmith/try/kubeconfig-web'), 'utf8')).toContain('of the tenant');
  expect(mode('.playsmith/try/kubeconfig-web')).toBe(0o600);
  expect(readdirSync(join(directory, 'kept/try'))).toEqual(['etcd', 'kubeconfig']);
});

test('a kubeconfig that git would take along is warned of', async () => {
  execFileSync('git', ['init', '--quiet'], { cwd: here });
  keep('kubeconfig', kubeconfig('CA'));
  const at = await session('local');
  value(await takeKubeconfig(at, wish, world));
  const warned = (): Event[] => told.filter(({ type }) => type === 'warning');
  expect(warned()).toMatchObject([{ text: expect.stringContaining('.gitignore') as string }]);
  told.length = 0;
  writeFileSync(join(here, '.gitignore'), '/.playsmith/\n');
  keep('kubeconfig', kubeconfig('CA'));
  value(await takeKubeconfig(at, wish, world));
  expect(warned()).toEqual([]);
});

test('a link on the server is no kubeconfig', async () => {
  symlinkSync('/etc/hostname', join(directory, 'kept/try/kubeconfig'));
  expect(failure(await takeKubeconfig(await session('ssh'), wish, world)).kind).toBe('server');
});

describe('a snapshot of etcd', () => {
  const bytes = new Uint8Array(3_000_000).map((_, index) => index % 251);
  const sum = createHash('sha256').update(bytes).digest('hex');

  test('that is the latest comes here whole, with its checksum, for its user alone', async () => {
    keep('etcd/20261119T000000Z.db', 'older');
    keep('etcd/20261119T000000Z.db.sha256', 'older');
    keep('etcd/20261120T174500Z.db', bytes);
    keep('etcd/20261120T174500Z.db.sha256', `${sum}  20261120T174500Z.db\n`);
    keep('etcd/20261121T000000Z.db', 'cut short: no checksum');
    value(await takeSnapshot(await session('ssh'), 'copies', world));
    expect(readdirSync(join(here, 'copies'))).toEqual(['20261120T174500Z.db', '20261120T174500Z.db.sha256']);
    expect(readFileSync(join(here, 'copies/20261120T174500Z.db')).equals(bytes)).toBe(true);
    expect(mode('copies/20261120T174500Z.db')).toBe(0o600);
    expect(mode('copies')).toBe(0o700);
    expect(printed).toEqual(['copies/20261120T174500Z.db']);
  });

  test('that is encrypted comes with what can be known of it without a key, and may be in git', async () => {
    keep('etcd/20261119T174500Z.db', 'older');
    keep('etcd/20261119T174500Z.db.sha256', `${sum}  older`);
    keep('etcd/20261120T174500Z.db.age', bytes);
    keep('etcd/20261120T174500Z.db.age.sha256', `${sum}  20261120T174500Z.db.age\n`);
    keep('etcd/20261120T174500Z.json', '{"revision": 42}\n');
    execFileSync('git', ['init', '--quiet'], { cwd: here });
    value(await takeSnapshot(await session('local'), 'copies', world));
    const names = ['.db.age', '.db.age.sha256', '.json'].map((end) => `20261120T174500Z${end}`);
    expect(readdirSync(join(here, 'copies')).sort()).toEqual(names);
    expect(printed).toEqual([`copies/${names[0] ?? ''}`]);
    expect(told.filter(({ type }) => type === 'warning')).toEqual([]);
  });

  test('that is not what its checksum says is not kept here', async () => {
    keep('etcd/20261120T174500Z.db', 'damaged');
    keep('etcd/20261120T174500Z.db.sha256', `${sum}  20261120T174500Z.db\n`);
    expect(failure(await takeSnapshot(await session('ssh'), 'copies', world)).message).toContain('checksum');
    expect(readdirSync(join(here, 'copies'))).toEqual([]);
  });

  test('stays on the server alone when nobody asks for a copy', async () => {
    keep('etcd/20261120T174500Z.db', bytes);
    keep('etcd/20261120T174500Z.db.sha256', `${sum}  20261120T174500Z.db\n`);
    value(await takeSnapshot(await session('local'), undefined, world));
    expect(told).toMatchObject([
      { type: 'note', text: expect.stringContaining('20261120T174500Z.db') as string },
    ]);
    expect(readdirSync(here)).toEqual([]);
  });
});

describe('an Ansible server that lies', () => {
  /** The server as it is, but for what it says is kept. */
  async function lying(answer: {
    readonly folder: string;
    readonly files: readonly string[];
  }): Promise<Session> {
    const at = await session('ssh');
    const agent = at.server.agent();
    vi.spyOn(agent, 'ask').mockResolvedValue({ ok: true, value: answer });
    vi.spyOn(at.server, 'agent').mockReturnValue(agent);
    return at;
  }

  const kept = (): string => join(directory, 'kept/try/etcd');
  const last = '20991231T000000Z.db';

  test.each([
    ['above the folder', ['../../../escaped.db', '../../../escaped.db.sha256']],
    ['by a whole path', ['/tmp/escaped.db', '/tmp/escaped.db.sha256']],
    ['with what steers a terminal', [`${last}\u001b[2J`, `${last}\u001b[2J.sha256`]],
    ['hidden', ['.bashrc', '.bashrc.sha256', last, `${last}.sha256`]],
    ['that are none', [7 as unknown as string, last, `${last}.sha256`]],
  ])('names files %s, and nothing is written', async (_, files) => {
    const ended = failure(await takeSnapshot(await lying({ folder: kept(), files }), 'copies', world));
    expect(ended).toMatchObject({
      kind: 'server',
      message: expect.stringContaining('no playbook keeps') as string,
    });
    expect(readdirSync(here)).toEqual([]);
  });

  test.each([
    ['relative', 'etcd'],
    ['one with a way up', '/srv/../etc'],
    ['none', 7 as unknown as string],
  ])('names a folder that is %s', async (_, folder) => {
    const ended = failure(await takeSnapshot(await lying({ folder, files: [last] }), 'copies', world));
    expect(ended.message).toContain('no playbook keeps');
  });

  const evil = (more: object): string =>
    JSON.stringify({ ...(JSON.parse(kubeconfig('CA')) as object), ...more });

  test.each([
    [
      'runs a program',
      evil({ users: [{ name: 'a', user: { exec: { command: 'sh' } } }] }),
      'users.user.exec',
    ],
    [
      'asks a provider',
      evil({ users: [{ name: 'a', user: { 'auth-provider': {} } }] }),
      'users.user.auth-provider',
    ],
    [
      'reads a file here',
      evil({ users: [{ name: 'a', user: { tokenFile: '/etc/shadow' } }] }),
      'users.user.tokenFile',
    ],
    [
      'leads through a proxy',
      evil({ clusters: [{ name: 'a', cluster: { 'proxy-url': 'http://x' } }] }),
      'clusters.cluster.proxy-url',
    ],
    [
      'trusts anybody',
      evil({ clusters: [{ name: 'a', cluster: { 'insecure-skip-tls-verify': true } }] }),
      'insecure-skip-tls-verify',
    ],
    ['extends itself', evil({ extensions: [] }), 'extensions'],
    ['is no mapping', '[]', 'no mapping'],
    ['is no YAML', '{', 'no YAML'],
    ['grows by anchors', 'a: &a [x]\nb: *a\n', 'anchors'],
    ['is huge', `kind: ${'x'.repeat(1_100_000)}`, '1 MB'],
  ])('keeps a kubeconfig that %s, and it is not taken', async (_, text, said) => {
    keep('kubeconfig', text);
    const ended = failure(await takeKubeconfig(await session('ssh'), wish, world));
    expect(ended).toMatchObject({ kind: 'server', message: expect.stringContaining(said) as string });
    expect(existsSync(join(here, '.playsmith/try/kubeconfig'))).toBe(false);
  });
});
