import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { engine } from '../../../generators/engine.ts';
import { templates } from '../../support/definitions/templates.ts';
import { folderWith } from './python.ts';

const kubeadm =
  '#!/bin/sh\necho registry.k8s.io/kube-proxy:v1.30.2\necho registry.k8s.io/coredns/coredns:v1.11.1\n';
const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const charts = `apiVersion: v1
generated: "2026-01-01T00:00:00Z"
entries:
  cilium:
    - { apiVersion: v2, name: cilium, version: 1.20.0, urls: [cilium-1.20.0.tgz] }
    - apiVersion: v2
      name: cilium
      version: 1.19.4
      created: 2026-01-01T00:00:00Z
      digest: ${sumOf('chart')}
      urls: [cilium-1.19.4.tgz]
`;
const published = new Map([
  ['/helm.tgz', 'helm'],
  ['/release/v1.30.2/bin/linux/amd64/kubeadm', kubeadm],
  ['/runc.amd64', 'runc'],
  ['/runc.sha256sum', `${sumOf('other')}  runc.arm64\n${sumOf('runc')}  runc.amd64\n`],
  ['/endless.sha256', `${sumOf('helm')}  helm.tgz\n`.repeat(20_000)],
  ['/crictl.tgz', 'crictl'],
  ['/crictl.tgz.sha256', `${sumOf('changed')}\n`],
  ['/charts/index.yaml', charts],
  ['/charts/cilium-1.19.4.tgz', 'chart'],
  ['/release/v1.30.2/bin/linux/amd64/kubeadm.sha256', sumOf(kubeadm)],
]);

/** Knows two images of publishers, keeps what is copied in files named by their places. */
const skopeo = `#!/bin/bash
at() { echo "$ROOT/registry/$(echo "\${1#docker://}" | tr / _)"; }
case $1 in
  inspect) if [[ $3 == docker://registry.example.org/* ]]; then cat "$(at "$3")"; else [[ $3 != *missing* ]] && echo "{\\"image\\": \\"$3\\"}"; fi ;;
  copy) [[ "$2 $3" == "--all --preserve-digests" ]] || exit 1; echo "$4 $5" >> $ROOT/copied; echo "{\\"image\\": \\"$4\\"}" > "$(at "$5")" ;;
esac
`;

/** Something comes again and again, and never all of it. */
function drip(response: ServerResponse): void {
  const dripping = setInterval(() => response.write('.'), 20);
  response.on('close', () => {
    clearInterval(dripping);
  });
}

let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer(({ url: path = '' }, response) => {
    const text = published.get(path);
    if (path === '/dripping') drip(response);
    else if (path === '/page')
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
    else response.writeHead(text === undefined ? 404 : 200).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
});

/** The program; not synchronous, since the server is in this process. */
async function mirror(root: string, more: object = {}): Promise<{ copied: string[]; problems: string[] }> {
  const asked = {
    directory: join(root, 'mirror'),
    registry: 'registry.example.org/osa',
    publisher: url,
    dry: false,
    kubernetes: ['v1.30.2'],
    files: [{ url: `${url}/helm.tgz`, path: 'get.helm.sh/helm.tgz', sha256: sumOf('helm'), sums: '' }],
    images: [{ source: 'quay.io/x/y:v1', target: 'registry.example.org/osa/x/y:v1' }],
    charts: [],
    ...more,
  };
  const child = spawn('python3', ['-IS', '-', Buffer.from(JSON.stringify(asked)).toString('base64')], {
    env: { PATH: `${root}/bin:/usr/bin:/bin`, ROOT: root },
  });
  child.stdin.end(engine(templates, 'cloud-a')('osa/mirror.py.hbs', {}));
  let [out, error] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  child.stderr.on('data', (data: Buffer) => (error += data.toString()));
  const status = await new Promise((resolve) => child.on('close', resolve));
  if (status !== 0) throw new Error(error);
  return JSON.parse(out) as { copied: string[]; problems: string[] };
}

function place(): string {
  const root = folderWith({ 'bin/skopeo': skopeo, 'registry/.keep': '' });
  chmodSync(join(root, 'bin/skopeo'), 0o755);
  return root;
}

const all = [
  'file get.helm.sh/helm.tgz',
  'image registry.example.org/osa/x/y:v1',
  'image registry.example.org/osa/kube-proxy:v1.30.2',
  'image registry.example.org/osa/coredns/coredns:v1.11.1',
  'image registry.example.org/osa/coredns:v1.11.1',
];

test('files and images are copied, those of Kubernetes by the words of its kubeadm; a second time nothing', async () => {
  const root = place();
  expect(await mirror(root, { dry: true })).toEqual({ copied: all, problems: [] });
  expect(existsSync(join(root, 'copied'))).toBe(false);
  expect(await mirror(root)).toEqual({ copied: all, problems: [] });
  expect(readFileSync(join(root, 'mirror/get.helm.sh/helm.tgz'), 'utf8')).toBe('helm');
  expect(readFileSync(join(root, 'copied'), 'utf8').split('\n')[0]).toBe(
    'docker://quay.io/x/y:v1 docker://registry.example.org/osa/x/y:v1',
  );
  expect(await mirror(root)).toEqual({ copied: [], problems: [] });
});

test('what was changed in the mirror is copied again', async () => {
  const root = place();
  await mirror(root);
  writeFileSync(join(root, 'mirror/get.helm.sh/helm.tgz'), 'broken');
  expect(await mirror(root)).toMatchObject({ copied: ['file get.helm.sh/helm.tgz'] });
});

test('each thing that cannot be had is told, and the rest is copied', async () => {
  const root = place();
  const told = await mirror(root, {
    files: [{ url: `${url}/helm.tgz`, path: 'helm.tgz', sha256: 'a'.repeat(64), sums: '' }],
    images: [{ source: 'quay.io/missing:v1', target: 'registry.example.org/osa/missing:v1' }],
    kubernetes: ['v1.30.2', 'v1.99.0'],
  });
  expect(told.problems).toEqual([
    expect.stringContaining(`has the sum ${sumOf('helm')}, not aaaa`),
    expect.stringContaining('404'),
    'quay.io/missing:v1: its publisher does not have it, or is not reached',
  ]);
  expect(told.copied).toEqual(all.slice(2));
  expect(existsSync(join(root, 'mirror/helm.tgz'))).toBe(false);
});

test('sums lie beside their files, and a file that has another one is not taken', async () => {
  const root = place();
  const asked = {
    files: [
      { url: `${url}/runc.amd64`, path: 'runc/runc.amd64', sha256: '', sums: `${url}/runc.sha256sum` },
      { url: `${url}/crictl.tgz`, path: 'crictl.tgz', sha256: '', sums: `${url}/crictl.tgz.sha256` },
      { url: `${url}/helm.tgz`, path: 'helm.tgz', sha256: '', sums: `${url}/runc.sha256sum` },
    ],
    ...{ kubernetes: [], images: [] },
  };
  expect(await mirror(root, asked)).toEqual({
    copied: ['file runc/runc.amd64', 'file runc/runc.sha256sum'],
    problems: [
      expect.stringContaining(`has the sum ${sumOf('crictl')}, not ${sumOf('changed')}`),
      'the sums of helm.tgz have none of it',
    ],
  });
  expect(readFileSync(join(root, 'mirror/runc/runc.sha256sum'), 'utf8')).toContain('runc.arm64');
  expect(existsSync(join(root, 'mirror/crictl.tgz.sha256'))).toBe(false);
  expect(await mirror(root, asked)).toMatchObject({ copied: [] });
});

test('what does not end, a page, and more than sums can be are told, and nothing of them is kept', async () => {
  const root = place();
  const file = (name: string, more: object = {}) => ({
    ...{ url: `${url}/${name}`, path: name, sha256: '', sums: '' },
    ...more,
  });
  const files = [file('dripping'), file('page'), file('helm.tgz', { sums: `${url}/endless.sha256` })];
  expect(await mirror(root, { files, patience: 1, kubernetes: [], images: [] })).toEqual({
    copied: [],
    problems: [
      `${url}/dripping does not end within 1 s`,
      `${url}/page is a page and no file: does a portal or proxy answer?`,
      `${url}/endless.sha256 has more than the 1048576 bytes that anything there has`,
    ],
  });
  expect(readdirSync(join(root, 'mirror'))).toEqual(['.lock']);
});

test('a chart is copied with an index that Helm reads, and a second time nothing', async () => {
  const root = place();
  const chart = { repository: `${url}/charts`, path: 'helm.cilium.io', name: 'cilium', version: 'v1.19.4' };
  const asked = { files: [], kubernetes: [], images: [], charts: [chart, { ...chart, version: 'v9.9.9' }] };
  const copied = ['file helm.cilium.io/cilium-1.19.4.tgz', 'file helm.cilium.io/index.yaml'];
  const problems = [`${url}/charts/index.yaml has no chart cilium of version v9.9.9`];
  expect(await mirror(root, { ...asked, dry: true })).toEqual({ copied, problems });
  expect(await mirror(root, asked)).toEqual({ copied, problems });
  expect(JSON.parse(readFileSync(join(root, 'mirror/helm.cilium.io/index.yaml'), 'utf8'))).toEqual({
    apiVersion: 'v1',
    entries: {
      cilium: [
        {
          ...{ apiVersion: 'v2', name: 'cilium', version: '1.19.4' },
          ...{ digest: sumOf('chart'), urls: ['cilium-1.19.4.tgz'] },
        },
      ],
    },
  });
  expect(await mirror(root, asked)).toEqual({ copied: [], problems });
});
