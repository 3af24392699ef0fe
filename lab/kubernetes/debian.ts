import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../../generators/result.ts';
import { program, type ProgramFailure } from '../../tasks/runtime/program.ts';
import type { LabFailure } from '../machine/lab-failure.ts';
import { inOrder, running } from './step.ts';

/** Packages of a Debian that are fetched and not installed. */
export interface Debs {
  /** Where apt works; kept, so that a second call fetches less. */
  readonly folder: string;
  readonly suite: 'bookworm' | 'trixie';
  readonly mirror: string;
  readonly packages: readonly string[];
  /** Without what they depend on. */
  readonly alone?: boolean;
}

/**
 * Fetches packages, and all that they depend on, into a folder, which is its value. apt checks signatures as ever, but
 * with lists and sources of its own: this machine may be another Debian, and stays as it is.
 */
export async function fetchDebs({
  folder,
  suite,
  mirror,
  packages,
  alone = false,
}: Debs): Promise<Result<string, LabFailure>> {
  const archives = join(folder, alone ? 'alone' : 'archives');
  for (const path of [join(folder, 'lists/partial'), join(folder, 'archives/partial'), archives])
    await mkdir(path, { recursive: true });
  await writeFile(join(folder, 'status'), '');
  await writeFile(join(folder, 'sources.list'), sourcesList(mirror, suite));
  const apt = (what: string, words: readonly string[]): ReturnType<typeof running> =>
    running(what, ['apt-get', ...aptOptions(folder), ...words], {
      cwd: archives,
      timeout: 1200,
      env: { DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' },
    });
  const fetched = await inOrder([
    apt(`Reading the lists of Debian's packages (${suite})`, ['update']),
    apt(
      `Fetching packages of Debian (${suite})`,
      alone ? ['download', ...packages] : ['install', '--yes', '--download-only', ...packages],
    ),
  ]);
  return fetched.ok ? ok(archives) : fetched;
}

/** Unpacks packages that were fetched into `root`. */
export async function unpackDebs(
  debs: string,
  names: readonly string[],
  root: string,
): Promise<Result<void, ProgramFailure>> {
  await mkdir(root, { recursive: true });
  const files = await readdir(debs);
  for (const name of names) {
    const deb = files.find((file) => file.startsWith(`${name}_`)) ?? name;
    const unpacked = await program(['dpkg-deb', '-x', join(debs, deb), root], { timeout: 300 });
    if (!unpacked.ok) return unpacked;
  }
  return ok(undefined);
}

/** One Debian alone, checked by the keys of Debian. */
export const sourcesList = (mirror: string, suite: Debs['suite']): string =>
  `deb [arch=amd64 signed-by=${keyring}] ${mirror} ${suite} main\n`;

/** Makes apt keep lists, archives and its idea of what is installed, which is nothing, in one folder. */
export const aptOptions = (folder: string): readonly string[] =>
  Object.entries({
    'Dir::Etc::SourceList': `${folder}/sources.list`,
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::Etc::Preferences': '/dev/null',
    'Dir::Etc::PreferencesParts': '/dev/null',
    'Dir::State::Lists': `${folder}/lists`,
    'Dir::State::status': `${folder}/status`,
    'Dir::State::extended_states': `${folder}/extended_states`,
    'Dir::Cache': folder,
    'Dir::Cache::archives': `${folder}/archives`,
    'Dir::Cache::pkgcache': '',
    'Dir::Cache::srcpkgcache': '',
    'APT::Architecture': 'amd64',
    'APT::Install-Recommends': 'false',
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '3',
  }).flatMap(([key, value]) => ['-o', `${key}=${value}`]);

const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
