import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Result } from '../../../generators/result.ts';
import type { LabFailure } from '../lab-failure.ts';
import { buildPackages, nodePackages } from './recipe.ts';
import { inOrder, running, type Build } from './step.ts';

/** Where the fetched things lie below the build's folder. */
export const fetched = { source: 'src', build: 'debs', node: 'apt/archives' } as const;

/**
 * Fetches Debian 12's source of Kubernetes, the toolchain, and the nodes' packages with all they depend on. apt checks
 * signatures as ever, but with lists and sources of its own: this machine may be another Debian, and stays as it is.
 */
export async function fetchDebian(build: Build): Promise<Result<void, LabFailure>> {
  const { folder, mirror, tell } = build;
  for (const name of ['apt/lists/partial', 'apt/archives/partial', fetched.source, fetched.build])
    await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, 'apt/status'), '');
  await writeFile(join(folder, 'apt/sources.list'), sourcesList(mirror));
  const apt = (what: string, words: readonly string[], cwd = folder): ReturnType<typeof running> =>
    running(what, ['apt-get', ...aptOptions(join(folder, 'apt')), ...words], {
      cwd,
      timeout: 1200,
      env: { DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' },
    });
  tell(`Fetching Kubernetes' source, Go and the nodes' packages from ${mirror} (200 MB)`);
  return inOrder([
    apt('Reading the lists of packages', ['update']),
    apt(
      'Fetching the source of Kubernetes',
      ['source', '--download-only', 'kubernetes'],
      join(folder, fetched.source),
    ),
    apt('Fetching the toolchain', ['download', ...buildPackages], join(folder, fetched.build)),
    apt("Fetching the nodes' packages", ['install', '--yes', '--download-only', ...nodePackages]),
  ]);
}

/** Debian 12 alone, checked by the keys of Debian. */
export const sourcesList = (mirror: string): string =>
  ['deb', 'deb-src']
    .map((kind) => `${kind} [arch=amd64 signed-by=${keyring}] ${mirror} bookworm main\n`)
    .join('');

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
