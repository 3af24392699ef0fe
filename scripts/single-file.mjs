// One file that runs without Node.js: Node.js itself, with the package as npm packs it and the packages that it needs.
// docs/decisions/0037-single-file.md says why it unpacks itself.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { unpackWithPackages } from './contents.mjs';

const run = promisify(execFile);
/** Where Node.js looks for what was put into it, and the mark that says that something was. */
const place = 'NODE_SEA_BLOB';
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Makes `file` out of the packed package `tarball`. `node` is a Node.js as its project publishes it. */
export async function singleFile({ tarball, file, node = process.execPath }) {
  const scratch = await mkdtemp(join(tmpdir(), 'playsmith-single-file-'));
  try {
    const content = join(scratch, 'content');
    await unpackWithPackages(tarball, content);
    await writeFile(join(content, 'start.cjs'), "import('./dist/tasks/cli.js');\n");
    const blob = await pack(content, scratch, node);
    await cp(node, file);
    const words = [place, blob, '--sentinel-fuse', fuse, '--macho-segment-name', 'NODE_SEA'];
    await run(process.execPath, [fileURLToPath(import.meta.resolve('postject/dist/cli.js')), file, ...words]);
    await chmod(file, 0o755);
  } finally {
    await rm(scratch, { recursive: true });
  }
}

/** What Node.js reads at its start: our first module, and every file below `content` by its path. */
async function pack(content, scratch, node) {
  const paths = (await readdir(content, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(content, join(entry.parentPath, entry.name)))
    .sort();
  const listing = join(scratch, 'contents.json');
  await writeFile(listing, JSON.stringify(await Promise.all(paths.map((path) => describe(content, path)))));
  const main = join(scratch, 'main.cjs');
  await build({
    entryPoints: ['tasks/single-file.ts'],
    outfile: main,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'warning',
  });
  const config = join(scratch, 'sea.json');
  const output = join(scratch, 'sea.blob');
  const assets = Object.fromEntries(paths.map((path) => [path, join(content, path)]));
  await writeFile(
    config,
    JSON.stringify({
      main,
      output,
      disableExperimentalSEAWarning: true,
      assets: { ...assets, 'contents.json': listing },
    }),
  );
  await run(node, ['--experimental-sea-config', config]);
  return output;
}

async function describe(content, path) {
  const bytes = await readFile(join(content, path));
  const { mode } = await stat(join(content, path));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { path, size: bytes.length, executable: (mode & 0o100) !== 0, sha256 };
}
