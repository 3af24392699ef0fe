import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import type { RenderedFile } from '../../generators/rendered-file.ts';

/** Files → one compressed archive, in memory: the same files give the same bytes. */
export async function archive(files: readonly RenderedFile[]): Promise<Buffer> {
  const tar = pack();
  for (const { path, mode, text } of files)
    tar.entry({ name: path, mode: Number.parseInt(mode, 8), mtime: new Date(0), uid: 0, gid: 0 }, text);
  tar.finalize();
  return promisify(gzip)(await buffer(tar), { level: 6 });
}
