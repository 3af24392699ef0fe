// What runs without npm: the package as it is packed, and the packages that it needs.
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { external } from './external.mjs';

/** Unpacks the packed package `tarball` into a new `folder`, its node_modules included. */
export async function unpackWithPackages(tarball, folder) {
  await mkdir(folder);
  await promisify(execFile)('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder]);
  for (const path of await neededPackages())
    await cp(path, join(folder, path), { recursive: true, filter: isPortable });
}

/** Without what was compiled for this machine: those packages do without, and the file is the same wherever it is made. */
const isPortable = (path) => !/[/\\]build$/.test(path);

/** Folders of the packages that are not part of dist/, with all that those need; what is optional is left out. */
async function neededPackages() {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8'));
  const found = new Set();
  const visit = (name, from) => {
    const path = [`${from}/node_modules/${name}`, `node_modules/${name}`].find((each) => each in packages);
    if (path === undefined) throw new Error(`package-lock.json has no ${name}`);
    if (found.has(path)) return;
    found.add(path);
    for (const each of Object.keys(packages[path].dependencies ?? {})) visit(each, path);
  };
  for (const name of external) visit(name, '');
  return [...found].sort();
}
