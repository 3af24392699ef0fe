import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { release as kernel, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { debianMirror } from '../../../../lab/images/images.ts';
import { fetchDebs, unpackDebs } from '../../../../lab/kubernetes/debian.ts';
import { releases } from '../../../../generators/catalog/openstack-ansible/releases.ts';
import { readYaml } from '../../../../generators/yaml.ts';
import { there } from '../../there.ts';
import { must } from '../lab.ts';
import { buildTools, clientsOf, osaPackages, osaRoles, osaVenvs } from './osa-needs.ts';
import { fileOfSource, repositoriesOfSources } from './osa-sources.ts';

/**
 * OpenStack-Ansible itself: a folder of git repositories, `<owner>/<name>` each, as `osa-mirror` makes one. Its own
 * scripts and playbooks run; a site without a way to the internet has mirrors for all that they fetch.
 */
export interface OsaRepositories {
  readonly folder: string;
  /** A branch of openstack/openstack-ansible. */
  readonly branch: string;
}

interface PinnedRepository {
  readonly repository: string;
  readonly version: string;
}

/** Why a folder lacks what a branch needs; empty where it has all. */
export function lacksOf({ folder, branch }: OsaRepositories): string {
  if (folder === '') return 'PLAYSMITH_OSA_GIT names no folder of git repositories';
  if (!has(folder, { repository: main, version: branch })) return `${main} has no ${branch}`;
  const lacking = pinsOf({ folder, branch }).find((pin) => !has(folder, pin));
  return lacking === undefined ? '' : `${lacking.repository} has no ${lacking.version}`;
}

const [main, requirements] = ['openstack/openstack-ansible', 'openstack/requirements'];

const git = (repository: string, ...words: readonly string[]): string =>
  execFileSync('git', ['-c', 'safe.directory=*', '--git-dir', repository, ...words], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });

const has = (folder: string, { repository, version }: PinnedRepository): boolean =>
  spawnSync('git', [
    ...['-c', 'safe.directory=*', '--git-dir', join(folder, repository)],
    ...['cat-file', '-e', `${version}^{commit}`],
  ]).status === 0;

/** OpenStack-Ansible, its collections and roles as it pins them, and the collections of our own definitions beside them. */
function pinsOf({ folder, branch }: OsaRepositories): readonly PinnedRepository[] {
  const show = (file: string): string => git(join(folder, main), 'show', `${branch}:${file}`);
  const read = (kind: string): unknown => readYaml(show(`ansible-${kind}-requirements.yml`));
  const { collections } = read('collection') as { readonly collections: Entries };
  const wanted = (read('role') as Entries).filter(({ name }) => osaRoles.includes(name));
  const commit = /requirements_git_install_branch: (\w+)/.exec(
    show('inventory/group_vars/all/source_git.yml'),
  );
  return [
    { repository: main, version: branch },
    { repository: requirements, version: there(commit?.[1]) },
    ...[...collections, ...wanted].map(({ version, source, src }) => ({
      version,
      repository: repositoryOf(source ?? src ?? ''),
    })),
    ...oursOf({ folder, branch }),
  ];
}

type Entries = readonly {
  readonly name: string;
  readonly version: string;
  readonly source?: string;
  readonly src?: string;
}[];

const repositoryOf = (url: string): string => new URL(url).pathname.slice(1).replace(/\.git$/, '');

/** What a site's mirrors have: `git`, `debian`, `wheels` and lists of OpenStack-Ansible's own, in a folder to remove. */
export async function osaMirror(source: OsaRepositories): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-osa-'));
  const at = (name: string): string => join(folder, name);
  mkdirSync(at('site/git'), { recursive: true });
  clone(source, at('site/git'));
  repositoriesOfSources(at('site/git'), folder);
  const packages = [...new Set(Object.values(osaPackages).flat())];
  const archives = must(
    await fetchDebs({ folder: at('apt'), suite: 'bookworm', mirror: debianMirror(), packages }),
  );
  const unpacked = await unpackDebs(archives, ['libsystemd-dev'], at('unpacked'));
  if (!unpacked.ok) throw new Error(unpacked.failure.stderr);
  bringWheels(source, at('site'), at('unpacked/usr/lib/x86_64-linux-gnu/pkgconfig'));
  execFileSync('sh', ['-eu', '-c', archive, 'sh', archives, at('site/debian'), kernel()]);
  return folder;
}

/** Bare, as a git server has them, and readable over HTTP alone, which wants all of a repository; of others their tag will do. */
function clone(source: OsaRepositories, into: string): void {
  const whole = oursOf(source).map(({ repository }) => repository);
  const pinned = new Map(pinsOf(source).map(({ repository, version }) => [repository, version]));
  for (const [repository, version] of pinned) {
    const isPart = /^v?\d+(?:\.\d+)+$/.test(version) && !whole.includes(repository);
    const part = isPart ? ['--depth=1', `--branch=${version}`] : [];
    const place = join(into, repository);
    mkdirSync(dirname(place), { recursive: true });
    execFileSync('git', [
      ...['-c', 'safe.directory=*', '-c', 'advice.detachedHead=false', 'clone', '--quiet', '--bare', ...part],
      ...[`file://${join(source.folder, repository)}`, place],
    ]);
    git(place, 'update-server-info');
  }
}

/** The collections of our definitions. */
const oursOf = ({ branch }: OsaRepositories): readonly PinnedRepository[] =>
  there(releases[branch.replace('stable/', '')]).collections.map(({ source, version }) => ({
    version,
    repository: repositoryOf(source),
  }));

/**
 * What the bootstrap installs, by OpenStack's own constraints, what is installed for the driver's collections, and what
 * virtual environments are made of. pip asks one of them of libsystemd's version, though it is built elsewhere.
 */
function bringWheels({ folder, branch }: OsaRepositories, site: string, pkgConfig: string): void {
  const show = (file: string): string => git(join(folder, main), 'show', `${branch}:${file}`);
  const pins = pinsOf({ folder, branch });
  const { version } = there(pins.find(({ repository }) => repository === requirements));
  const constraints = git(join(folder, requirements), 'show', `${version}:upper-constraints.txt`);
  const files = {
    'upper-constraints.txt': constraints,
    'pins.txt': show('global-requirement-pins.txt'),
    'requirements.txt': show('requirements.txt'),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(site, name), text);
  const core = there(/ANSIBLE_PACKAGE:-"([^"]+)"/.exec(show('scripts/bootstrap-ansible.sh'))?.[1]);
  const pip = (...words: readonly string[]): Buffer =>
    execFileSync('python3.11', ['-m', 'pip', 'download', '--quiet', '--dest', 'wheels', ...words], {
      cwd: site,
      env: { ...process.env, PKG_CONFIG_PATH: pkgConfig },
    });
  const bound = ['--constraint=pins.txt', '--constraint=upper-constraints.txt'];
  pip(...bound, 'pip', 'setuptools', 'wheel', '--requirement=requirements.txt', core);
  pip('docker-image-py', 'kubernetes', 'cryptography', 'pyyaml', 'packaging', 'pbr', 'setuptools');
  for (const [name, { service, packages }] of Object.entries(osaVenvs)) {
    const clients = name === 'utility' ? clientsOf(constraints) : [];
    const list = join(dirname(site), `${name}.txt`);
    const required =
      service === undefined ? '' : fileOfSource(join(site, 'git'), service, 'requirements.txt');
    writeFileSync(list, required);
    pip(...bound, ...buildTools, ...packages, ...clients, `--requirement=${list}`);
  }
}

/**
 * Lays packages out as Debian does, for apt and debootstrap. The kernel of a lab host is that of its machine, which has no
 * package of its headers: an empty one is there in its place.
 */
const archive = `
mkdir -p "$2/pool" "$2/dists/bookworm/main/binary-amd64" "$2/headers/DEBIAN"
for deb in "$1"/*.deb; do name=\${deb##*/}; cp "$deb" "$2/pool/$(echo "$name" | sed 's/_[0-9]*%3a/_/')"; done
printf 'Package: linux-headers-%s\\nVersion: 1\\nArchitecture: all\\nMaintainer: lab <lab@localhost>\\nDescription: empty\\n' "$3" > "$2/headers/DEBIAN/control"
dpkg-deb --build "$2/headers" "$2/pool/linux-headers-$3_1_all.deb" >/dev/null
cd "$2"; list=main/binary-amd64/Packages
dpkg-scanpackages --multiversion pool > dists/bookworm/$list 2>/dev/null
cd dists/bookworm
printf 'Suite: stable\\nCodename: bookworm\\nDate: %s\\nArchitectures: amd64\\nComponents: main\\nSHA256:\\n %s %s %s\\n' \\
  "$(date -Ru)" "$(sha256sum $list | cut -d' ' -f1)" "$(stat -c %s $list)" $list > Release
`;
