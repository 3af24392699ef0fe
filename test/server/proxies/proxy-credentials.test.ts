import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { proxyCredentials } from '../../../generators/phases/node/proxy-credentials.ts';
import { collectionFolder } from '../../../tasks/runtime/package.ts';
import { kubeadmCluster } from '../../support/definitions/clusters.ts';
import { textOf } from '../../support/definitions/phase-files.ts';

const here = mkdtempSync(join(tmpdir(), 'playsmith-proxy-'));
const own = join(here, 'proxy');
const password = 'p@ss/w:rd%+ "1"';
const wanted = `Basic ${Buffer.from(`us er:${password}`).toString('base64')}`;
const seen: { readonly asked: string; readonly login: string; readonly shown: boolean }[] = [];
let proxy: Server;
let url: string;

beforeAll(async () => {
  proxy = createServer((request, answer) => {
    const login = request.headers['proxy-authorization'] ?? '';
    seen.push({ asked: request.url ?? '', login, shown: isShown() });
    answer.writeHead(login === wanted ? 200 : 407, { 'Proxy-Authenticate': 'Basic realm="proxy"' });
    answer.end(login === wanted ? 'fetched' : '');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => proxy.once('listening', resolve));
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  lay();
});

afterAll(() => {
  proxy.close();
  rmSync(here, { recursive: true, force: true });
});

/** Whether the arguments of any process hold the password, written as it is or as in a URL. */
function isShown(): boolean {
  const forms = [password, encodeURIComponent(password)];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((name) => {
      try {
        const words = readFileSync(`/proc/${name}/cmdline`, 'utf8');
        return forms.some((form) => words.includes(form));
      } catch {
        return false;
      }
    });
}

/** The files of the phase, and a playbook that writes them elsewhere and fetches as others do. */
function lay(): void {
  const cluster = kubeadmCluster({
    proxy: {
      http: url,
      https: '',
      noProxy: [],
      credentials: { userVariable: 'vault_proxy_user', passwordVariable: 'vault_proxy_password' },
    },
  });
  for (const name of ['sitecustomize.py', 'environment.j2', 'apt.conf.j2']) {
    const path = `files/proxy-credentials/${name}`;
    mkdirSync(join(here, dirname(path)), { recursive: true });
    writeFileSync(join(here, path), textOf(proxyCredentials, cluster, path));
  }
  const task = textOf(proxyCredentials, cluster, 'proxy-credentials.yml')
    .split('\n  tasks:\n')[1]
    ?.replaceAll('var/lib/playsmith/proxy', own.slice(1))
    .replace('etc/apt/apt.conf.d/90playsmith-proxy', `${own.slice(1)}/apt.conf`);
  const playbook = `- hosts: localhost
  gather_facts: false
  connection: local
  environment: { PYTHONPATH: ${own}, no_proxy: 192.0.2.1 }
  tasks:
${task ?? ''}
    - ansible.builtin.get_url: { url: 'http://mirror.example.org/file', dest: ${here}/file, mode: '0600' }
`;
  writeFileSync(join(here, 'play.yml'), playbook);
  writeFileSync(
    join(here, 'secrets.json'),
    JSON.stringify({ vault_proxy_user: 'us er', vault_proxy_password: password }),
  );
  const collection = join(here, 'collections/ansible_collections/playsmith');
  mkdirSync(collection, { recursive: true });
  symlinkSync(collectionFolder, join(collection, 'host'));
  writeFileSync(join(here, 'ansible.cfg'), '[defaults]\ncollections_path = collections\n');
}

async function play(
  ...words: readonly string[]
): Promise<{ readonly status: number | null; readonly text: string }> {
  const child = spawn(
    'ansible-playbook',
    ['-i', 'localhost,', 'play.yml', '-e', '@secrets.json', '--diff', ...words],
    {
      cwd: here,
      env: { PATH: process.env['PATH'], HOME: here, LANG: 'C.UTF-8', ANSIBLE_NOCOLOR: '1' },
    },
  );
  let text = '';
  child.stdout.on('data', (part: Buffer) => (text += part.toString()));
  child.stderr.on('data', (part: Buffer) => (text += part.toString()));
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, text };
}

test('what tasks fetch goes through a proxy that wants a password, which no argument and no output shows', async () => {
  const first = await play('-vvv');
  expect(first.status, first.text).toBe(0);
  expect(readFileSync(join(here, 'file'), 'utf8')).toBe('fetched');
  expect(seen).toEqual([{ asked: 'http://mirror.example.org/file', login: wanted, shown: false }]);
  expect(first.text).not.toContain(password);
  expect(first.text).not.toContain(encodeURIComponent(password));
  expect((await play()).text).toContain('changed=0');
});

test('its files are root’s alone, and apt reads the same', () => {
  expect(statSync(own).mode & 0o777).toBe(0o700);
  for (const name of ['environment', 'sitecustomize.py', 'apt.conf'])
    expect(statSync(join(own, name)).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(own, 'apt.conf'), 'utf8')).toContain(
    `Acquire::http::Proxy "http://us%20er:${encodeURIComponent(password)}@127.0.0.1`,
  );
});
