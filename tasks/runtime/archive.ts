import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import type { RenderedFile } from '../../generators/rendered-file.ts';

/** Files → one compressed archive, in memory: the same files give the same bytes. */
export async function archive(files: readonly RenderedFile[]): Promise<Buffer> {
  const tar = pack();
  for (const { path, mode, text } of files)
    tar.entry({ name: path, mode: Number.parseInt(mode, 8), mtime: new Date(0), uid: 0, gid: 0 }, text);
  tar.finalize();
  return promisify(gzip)(await buffer(tar), { level: 6 });
}

/** What lies in an archive: bytes, or a file of this machine. */
export interface ArchiveMember {
  readonly path: string;
  readonly content: Uint8Array | { readonly file: string };
}

/** Writes an archive of any size, in the order that is given: the same members give the same bytes. */
export async function writeTar(to: string, members: readonly ArchiveMember[]): Promise<void> {
  const tar = pack();
  const written = pipeline(tar, createWriteStream(to, { mode: 0o644 }));
  const fill = async (): Promise<void> => {
    for (const { path, content } of members) {
      const file = 'file' in content ? content.file : undefined;
      const size = file === undefined ? (content as Uint8Array).length : (await stat(file)).size;
      const entry = tar.entry({ name: path, size, mode: 0o644, mtime: new Date(0), uid: 0, gid: 0 });
      if (file === undefined) entry.end(content);
      else await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), entry);
    }
    tar.finalize();
  };
  await Promise.all([written, fill()]).catch((error: unknown) => {
    tar.destroy();
    throw error;
  });
}

/** Writes one file of a compressed archive to a path; false when the archive has none of that name. */
export async function takeMember(archivePath: string, name: string, to: string): Promise<boolean> {
  const tar = extract();
  let found = false;
  const reading = pipeline(createReadStream(archivePath), createGunzip(), tar);
  for await (const entry of tar) {
    if (entry.header.type === 'file' && entry.header.name.replace(/^\.\//, '') === name) {
      found = true;
      await pipeline(entry, createWriteStream(to, { mode: 0o644 }));
    } else entry.resume();
  }
  await reading;
  return found;
}
