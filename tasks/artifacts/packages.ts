import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import type { NodeSystem } from '../../generators/artifacts/packages.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import { writeTar, type ArchiveMember } from '../runtime/archive.ts';
import type { Failure } from '../runtime/failures.ts';
import { createFolder } from '../runtime/folders.ts';
import { lastLines, program } from '../runtime/program.ts';
import type { Mirror } from './mirror.ts';
import { sha256Of } from '../runtime/sums.ts';

export interface PackagesWish {
  readonly system: NodeSystem;
  /** What is asked for; apt adds what these depend on. */
  readonly names: readonly string[];
  /** The archive to write: a flat apt repository. */
  readonly to: string;
  readonly mirror: Mirror;
}

/**
 * Packages of a system with all they depend on, fetched and verified by apt in a root of its own: nothing of this machine is
 * looked at or changed, so the result does not depend on what is installed here.
 */
export async function fetchPackages(wish: PackagesWish): Promise<Result<void, Failure>> {
  const { system } = wish;
  if (!existsSync('/usr/bin/apt-get')) return failed(withoutApt);
  if (!existsSync(system.keyring)) return failed(withoutKeys(system));
  const root = await mkdtemp(join(tmpdir(), 'playsmith-apt-'));
  try {
    await layOut(root, wish);
    const updated = await apt(root, ['apt-get', 'update']);
    if (!updated.ok) return updated;
    const install = ['apt-get', 'install', '--yes', '--no-install-recommends', '--download-only'];
    const fetched = await apt(root, [...install, ...wish.names]);
    if (!fetched.ok) return fetched;
    return await gather(root, wish.to);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function layOut(root: string, { system, mirror }: PackagesWish): Promise<void> {
  for (const folder of ['lists/partial', 'archives/partial', 'preferences.d', 'log'])
    createFolder(join(root, folder));
  const sources = system.archives.map(
    ({ address, pocket }) =>
      `deb [arch=amd64 signed-by=${system.keyring}] ${debianMirror(address, mirror)} ${system.suite}${pocket} ${system.components}\n`,
  );
  await writeFile(join(root, 'sources.list'), sources.join(''));
  await writeFile(join(root, 'status'), '');
  await writeFile(join(root, 'apt.conf'), settings(root) + (await proxies()));
}

/** PLAYSMITH_DEBIAN_MIRROR takes the place of deb.debian.org, for the lab as well. */
function debianMirror(address: string, mirror: Mirror): string {
  const own = process.env['PLAYSMITH_DEBIAN_MIRROR'];
  const official = 'http://deb.debian.org/debian';
  return own !== undefined && address.startsWith(official)
    ? own.replace(/\/+$/, '') + address.slice(official.length)
    : mirror.file(address);
}

/** apt reads this instead of the machine's own configuration. */
const settings = (root: string): string =>
  [
    ...['Dir::Etc "/";', `Dir::Etc::sourcelist "${root}/sources.list";`, 'Dir::Etc::sourceparts "-";'],
    ...['Dir::Etc::main "-";', 'Dir::Etc::parts "-";', 'Dir::Etc::preferences "-";'],
    `Dir::Etc::preferencesparts "${root}/preferences.d";`,
    ...[
      `Dir::State "${root}";`,
      `Dir::State::lists "${root}/lists";`,
      `Dir::State::status "${root}/status";`,
    ],
    ...[`Dir::Cache "${root}";`, `Dir::Cache::archives "${root}/archives";`, `Dir::Log "${root}/log";`],
    ...['APT::Architecture "amd64";', 'APT::Architectures { "amd64"; };', 'APT::Sandbox::User "";'],
    ...['Acquire::Languages "none";', 'Acquire::Retries "3";', 'APT::Update::Error-Mode "any";'],
    'Debug::NoLocking "true";',
  ]
    .map((line) => `${line}\n`)
    .join('');

/** Of the machine's own settings only the way to the network counts. */
async function proxies(): Promise<string> {
  const own = await program(['apt-config', 'dump']);
  const lines = own.ok ? own.value.stdout.split('\n') : [];
  return lines
    .filter((line) => /^Acquire::https?::proxy/i.test(line))
    .map((line) => `${line}\n`)
    .join('');
}

async function apt(root: string, argv: readonly string[]): Promise<Result<string, Failure>> {
  const env = { APT_CONFIG: join(root, 'apt.conf'), LC_ALL: 'C.UTF-8', DEBIAN_FRONTEND: 'noninteractive' };
  const said = await program(argv, { env, timeout: 1800 });
  if (said.ok) return ok(said.value.stdout);
  return failed({
    kind: 'connection',
    message: `apt cannot fetch the packages: ${said.failure.message}\n${lastLines(said.failure, 5)}`,
    next: 'Check the network and its proxy, or name a mirror with --mirror or PLAYSMITH_DEBIAN_MIRROR',
  });
}

/** What apt fetched, each under the name that it has in the archive, with apt's own words on it. */
async function gather(root: string, to: string): Promise<Result<void, Failure>> {
  const files = (await readdir(join(root, 'archives'))).filter((name) => name.endsWith('.deb')).sort();
  const wanted = files.map((file) => {
    const [name = '', version = ''] = file.split('_');
    return `${name}=${decodeURIComponent(version)}`;
  });
  const shown = await apt(root, ['apt-cache', 'show', ...wanted]);
  if (!shown.ok) return shown;
  const stanzas = shown.value.split(/\n\n+/).filter((stanza) => stanza.startsWith('Package: '));
  const bySum = new Map(stanzas.map((stanza) => [fieldOf(stanza, 'SHA256'), stanza.trim()]));
  const found: { readonly stanza: string; readonly member: ArchiveMember }[] = [];
  for (const file of files) {
    const path = join(root, 'archives', file);
    const stanza = bySum.get(await sha256Of(path));
    if (stanza === undefined) return failed(notInIndex(file));
    const name = basename(fieldOf(stanza, 'Filename'));
    found.push({ stanza: flat(stanza, name), member: { path: name, content: { file: path } } });
  }
  const index = found.map(({ stanza }) => `${stanza}\n\n`).join('');
  await writeTar(`${to}.partial`, [
    { path: 'Packages', content: Buffer.from(index) },
    ...found.map(({ member }) => member),
  ]);
  await rename(`${to}.partial`, to);
  return ok(undefined);
}

const fieldOf = (stanza: string, name: string): string =>
  new RegExp(`^${name}: (.*)$`, 'm').exec(stanza)?.[1] ?? '';

/** The same words, with the file beside the index. */
const flat = (stanza: string, name: string): string =>
  stanza.replace(/^Filename: .*$/m, () => `Filename: ./${name}`);

const notInIndex = (file: string): Failure => ({
  kind: 'bundle',
  message: `apt fetched ${file}, but no archive lists it with this checksum`,
  evidence: '',
});

const withoutApt: Failure = {
  kind: 'usage',
  message: 'packages are fetched with apt, which this machine lacks',
  next: 'Prepare the artifacts on Debian or Ubuntu, or leave packages out with --system none',
};

const withoutKeys = ({ name, keyring, keyringPackage }: NodeSystem): Failure => ({
  kind: 'usage',
  message: `the packages of ${name} cannot be verified: ${keyring} is not there`,
  next: `apt-get install ${keyringPackage}`,
});
