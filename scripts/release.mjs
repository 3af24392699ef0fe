// Everything of a release up to publishing it, into release/: the npm package, the single file for this kind of machine,
// man page and completions, and the checksums of all. `npm run release` builds first; docs/install.md says what one does with the files.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { image } from './image.mjs';
import { singleFile } from './single-file.mjs';

const run = promisify(execFile);
const { values } = parseArgs({
  options: {
    output: { type: 'string', default: 'release' },
    node: { type: 'string', default: process.execPath },
    'no-image': { type: 'boolean', default: false },
  },
});
const folder = resolve(values.output);
const { name, version } = JSON.parse(await readFile('package.json', 'utf8'));

await rm(folder, { recursive: true, force: true });
await mkdir(folder);
say('packing the npm package');
const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]);
const tarball = join(folder, JSON.parse(stdout)[0].filename);
say('making the single file');
const ending = process.platform === 'win32' ? '.exe' : '';
const file = join(folder, `${name}-${version}-${process.platform}-${process.arch}${ending}`);
await singleFile({ tarball, file, node: values.node });
if (!values['no-image']) {
  say('making the image (a minute or two)');
  const archive = join(folder, `${name}-${version}-${process.arch}-oci.tar`);
  await image({ tarball, file: archive, node: values.node, reference: `localhost/${name}:${version}` });
}
for (const each of ['playsmith.1', 'completions'])
  await cp(join('dist', each), join(folder, each), { recursive: true });
await writeFile(join(folder, 'SHA256SUMS'), await checksums());
say(`${folder} has everything; docs/install.md says how it is published`);

/** As `sha256sum --check` reads them. */
async function checksums() {
  const lines = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
    .map(async (each) => {
      const sha256 = createHash('sha256').update(await readFile(join(folder, each)));
      return `${sha256.digest('hex')}  ${each}\n`;
    });
  return (await Promise.all(lines)).join('');
}

function say(text) {
  process.stderr.write(`release: ${text}\n`);
}
