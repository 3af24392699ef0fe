import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { buffer } from 'node:stream/consumers';

/**
 * Those who publish what a cluster is installed from: hosts with files, and registries, behind one mirror on loopback. The
 * far side of `npx task artifacts`, small but true to the HTTP API of registries. Close it.
 */
export interface Publishers {
  /** For `--mirror`. */
  readonly url: string;
  /** Publishes a file at its official address without `https://`. */
  readonly file: (address: string, content: string | Buffer) => void;
  /** Publishes an image like `registry.k8s.io/pause:3.9` for two processors; gives the digest of both. */
  readonly image: (name: string, layers: readonly string[]) => Promise<string>;
  /** Requests so far, as `GET path`, in order. */
  readonly requests: string[];
  /** Repositories whose registry wants a token first. */
  readonly guarded: Set<string>;
  /** The next answer to this path breaks off in the middle, or says 503. */
  readonly troubles: Map<string, 'break' | 'busy'>;
  readonly close: () => void;
}

export const sha256 = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex');

interface Content {
  readonly bytes: Buffer;
  readonly type: string;
}

export async function startPublishers(): Promise<Publishers> {
  const contents = new Map<string, Content>();
  const requests: string[] = [];
  const guarded = new Set<string>();
  const troubles: Publishers['troubles'] = new Map();
  const server = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    answer(request, response, { contents, guarded, troubles });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    file: (address, content) => {
      contents.set(`/${address}`, { bytes: Buffer.from(content), type: 'application/octet-stream' });
    },
    image: (name, layers) => publish(name, layers, contents),
    requests,
    guarded,
    troubles,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface State {
  readonly contents: ReadonlyMap<string, Content>;
  readonly guarded: ReadonlySet<string>;
  readonly troubles: Map<string, 'break' | 'busy'>;
}

function answer(
  { url = '', headers }: IncomingMessage,
  response: ServerResponse,
  { contents, guarded, troubles }: State,
): void {
  const trouble = troubles.get(url);
  troubles.delete(url);
  const origin = `http://${headers.host ?? ''}`;
  const repository = [...guarded].find((each) => url.startsWith(`/v2/${each}/`));
  if (url.startsWith('/token?')) {
    response.end(JSON.stringify({ token: `for ${new URL(url, origin).searchParams.get('scope') ?? ''}` }));
    return;
  }
  const scope = `repository:${repository ?? ''}:pull`;
  if (repository !== undefined && headers.authorization !== `Bearer for ${scope}`) {
    const challenge = `Bearer realm="${origin}/token",service="test",scope="${scope}"`;
    response.writeHead(401, { 'www-authenticate': challenge }).end();
    return;
  }
  const content = contents.get(url);
  if (trouble === 'busy') response.writeHead(503).end();
  else if (content === undefined) response.writeHead(404).end();
  else {
    response.writeHead(200, { 'content-type': content.type, 'content-length': content.bytes.length });
    if (trouble === 'break') {
      response.write(content.bytes.subarray(0, content.bytes.length / 2));
      setImmediate(() => response.destroy());
    } else response.end(content.bytes);
  }
}

const types = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
};

interface Described {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

async function publish(
  name: string,
  layers: readonly string[],
  contents: Map<string, Content>,
): Promise<string> {
  const [, repository = '', tag = ''] = /^(.*):([^:]+)$/.exec(name) ?? [];
  const put = (kind: keyof typeof types, bytes: Buffer, at = 'blobs'): Described => {
    const content = { bytes, type: types[kind] };
    const digest = `sha256:${sha256(bytes)}`;
    contents.set(`/v2/${repository}/${at}/${digest}`, content);
    return { mediaType: types[kind], digest, size: bytes.length };
  };
  const manifestFor = async (architecture: string): Promise<Described> => {
    const tars = layers.map((text) => tarOf(`etc/${text}`, `${text} for ${architecture}`));
    const rootfs = {
      type: 'layers',
      diff_ids: (await Promise.all(tars)).map((tar) => `sha256:${sha256(tar)}`),
    };
    const config = put('config', Buffer.from(JSON.stringify({ architecture, os: 'linux', rootfs })));
    const blobs = (await Promise.all(tars)).map((tar) => put('layer', gzipSync(tar)));
    const manifest = { schemaVersion: 2, mediaType: types.manifest, config, layers: blobs };
    return put('manifest', Buffer.from(JSON.stringify(manifest)), 'manifests');
  };
  const [arm, ours] = [await manifestFor('arm64'), await manifestFor('amd64')];
  const manifests = [
    { ...arm, platform: { architecture: 'arm64', os: 'linux' } },
    { ...ours, platform: { architecture: 'amd64', os: 'linux' } },
  ];
  const index = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: types.index, manifests }));
  const digest = `sha256:${sha256(index)}`;
  for (const name of [tag, digest])
    contents.set(`/v2/${repository}/manifests/${name}`, { bytes: index, type: types.index });
  return digest;
}

/** A compressed archive with a file that nobody wants, and one. */
export const tarball = async (path: string, content: string): Promise<Buffer> =>
  gzipSync(await tarOf(path, content));

function tarOf(path: string, content: string): Promise<Buffer> {
  const tar = pack();
  const fixed = { mode: 0o755, mtime: new Date(0) };
  tar.entry({ ...fixed, name: 'README' }, 'not this one');
  tar.entry({ ...fixed, name: path }, content);
  tar.finalize();
  return buffer(tar);
}
