import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ArtifactList } from '../../../generators/artifacts/needed.ts';
import { download } from '../../../tasks/artifacts/download.ts';
import { mirrorOf } from '../../../tasks/artifacts/mirror.ts';
import { prepare } from '../../../tasks/artifacts/prepare.ts';
import { registry } from '../../../tasks/artifacts/registry.ts';
import { failure, value } from '../../support/server/ansible-server.ts';
import { drip, showPage, startAnswering, type AnsweringServer } from '../../support/server/answering.ts';
import { sha256 } from '../../support/server/publishers.ts';

let folder: string;
let server: AnsweringServer;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'playsmith-answers-'));
});
afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const image = { registry: 'registry.k8s.io', repository: 'pause', tag: '3.10', digest: '' };
const [sum, other] = [`sha256:${'a'.repeat(64)}`, `sha256:${'b'.repeat(64)}`];
const blob = { mediaType: 'application/octet-stream', digest: sum, size: 5 };

const pull = async (respond: (response: ServerResponse, path: string) => void) => {
  server = await startAnswering(respond);
  return registry(mirrorOf(server.url), new Map()).pull(image);
};

test('a registry in whose place a portal answers is told as one failure', async () => {
  const { kind, message } = failure(await pull(showPage));
  expect(kind).toBe('connection');
  expect(message).toContain('a page for people came in its place');
});

test.each([
  ['no JSON', 'pause'],
  ['no map', '[]'],
  ['nothing', 'null'],
  ['nothing of an image', '{}'],
  ['a list of nothing', '{"manifests": [null]}'],
  ['manifests that are none', '{"manifests": {}}'],
  ['a platform that is none', JSON.stringify({ manifests: [{ ...blob, platform: 'linux' }] })],
  ['layers that are none', JSON.stringify({ config: blob, layers: 1 })],
  ['no layers', JSON.stringify({ config: blob })],
  ['a layer without a size', JSON.stringify({ config: blob, layers: [{ ...blob, size: undefined }] })],
  ['a layer that is smaller than nothing', JSON.stringify({ config: blob, layers: [{ ...blob, size: -1 }] })],
  ['a name that leads elsewhere', JSON.stringify({ config: { ...blob, digest: 'sha256:../x' }, layers: [] })],
  [
    'another place',
    JSON.stringify({
      manifests: [{ digest: '../x', size: 1, platform: { os: 'linux', architecture: 'amd64' } }],
    }),
  ],
  ['brackets without an end', '['.repeat(100_000)],
])('a manifest that says %s is refused', async (_, text) => {
  const { kind, message } = failure(await pull((response) => response.end(text)));
  expect(kind).toBe('bundle');
  expect(message).toMatch(/^the image at \S+ cannot be taken: /);
});

test.each([
  ['a page', showPage, 'connection'],
  ['no JSON', (response: ServerResponse) => response.end('no'), 'connection'],
  ['null', (response: ServerResponse) => response.end('null'), 'connection'],
  ['{}', (response: ServerResponse) => response.end('{}'), 'authentication'],
  ['a number', (response: ServerResponse) => response.end('{"token": 1}'), 'authentication'],
  ['two lines', (response: ServerResponse) => response.end('{"token": "a\\nb"}'), 'authentication'],
])('a service of tokens that answers %s is told as one failure', async (_, respond, kind) => {
  const refused = failure(
    await pull((response, path) => {
      if (path.startsWith('/token')) {
        respond(response);
        return;
      }
      const challenge = `Bearer realm="${server.url}/token",service="x"`;
      response.writeHead(401, { 'www-authenticate': challenge }).end();
    }),
  );
  expect(refused.kind).toBe(kind);
});

test('a blob is no larger than its manifest says', async () => {
  server = await startAnswering((response, path) => {
    if (path.includes('/blobs/')) response.end('x'.repeat(6));
    else response.end(JSON.stringify({ config: blob, layers: [{ ...blob, digest: other }] }));
  });
  const client = registry(mirrorOf(server.url), new Map());
  const { blobs } = value(await client.pull(image));
  expect(blobs.map(({ digest }) => digest)).toEqual([sum, other]);
  const { message } = failure(await client.fetchBlob(image, blob, join(folder, 'blob')));
  expect(message).toContain('it has more than 5 bytes');
  expect(readdirSync(folder)).toEqual([]);
});

const fetched = async (more: object) =>
  download({ address: `${server.url}/file`, path: join(folder, 'file'), sha256: '', ...more });

test('a file whose server drips is left in time', async () => {
  server = await startAnswering(drip);
  const began = performance.now();
  expect(failure(await fetched({ patience: 1 })).message).toMatch(
    /sends nearly nothing \(\d+ bytes in 1 s\)$/,
  );
  expect(performance.now() - began).toBeLessThan(3000);
  expect(readdirSync(folder)).toEqual([]);
});

test('a file that nobody pinned is no page of a portal', async () => {
  server = await startAnswering(showPage);
  expect(failure(await fetched({})).message).toContain('a page for people came in its place');
  expect(readdirSync(folder)).toEqual([]);
});

test('a file that comes slowly and comes is taken', async () => {
  server = await startAnswering((response) => {
    const parts = [0, 1, 2].map((each) => String(each).repeat(100_000));
    const next = (): void => {
      const part = parts.shift();
      if (part === undefined) response.end();
      else response.write(part, () => setTimeout(next, 700));
    };
    next();
  });
  value(await fetched({ patience: 1 }));
});

const needed: ArtifactList = {
  kubernetes: '1.34.1',
  files: [
    {
      path: 'binaries/kubeadm',
      address: 'https://dl.k8s.io/kubeadm',
      checksum: { kind: 'published', address: 'https://dl.k8s.io/kubeadm.sha256' },
      member: '',
    },
  ],
  images: [],
  imageRepository: '',
  plugin: 'none',
  pluginManifest: '',
  chartValues: {},
};

test.each([
  ['breaks off', 'it broke off'],
  ['is a page', 'a page for people came in its place'],
])('a checksum whose list %s is told as one failure', async (how, says) => {
  server = await startAnswering((response) => {
    if (how === 'is a page') {
      showPage(response);
      return;
    }
    response.writeHead(200, { 'content-length': '64' });
    response.write(sha256('x').slice(0, 20));
    setTimeout(() => response.destroy(), 20);
  });
  const packages = { systems: [], names: [] };
  const mirror = mirrorOf(server.url);
  const asked = {
    needed,
    packages,
    logins: new Map(),
    mirror,
    to: join(folder, 'to'),
    tell: () => undefined,
  };
  expect(failure(await prepare(asked)).message).toContain(says);
});
