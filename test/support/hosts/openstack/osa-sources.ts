import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What roles install from git: the package of the index that its source is taken from, and the tag by which it is asked for. */
interface SourcePackage {
  readonly name: string;
  readonly version: string;
  readonly tag: string;
}

const of = (name: string, version: string, tag = version): SourcePackage => ({ name, version, tag });

/** By the repository that roles look for: of OpenStack's release 2025.1, and the driver of our definition. */
export const osaSources: Readonly<Record<string, SourcePackage>> = {
  'openstack/keystone': of('keystone', '27.0.0'),
  'openstack/glance': of('glance', '30.0.0'),
  'openstack/magnum': of('magnum', '20.0.0'),
  'vexxhost/magnum-cluster-api': of('magnum-cluster-api', '0.24.2', 'v0.24.2'),
};

/** Makes these repositories of the index's sources, each with one commit and its tag. */
export function repositoriesOfSources(into: string, work: string): void {
  for (const [repository, { name, version, tag }] of Object.entries(osaSources)) {
    const place = join(into, repository);
    mkdirSync(dirname(place), { recursive: true });
    const folder = mkdtempSync(join(work, `${name}-`));
    const asked = ['download', '--quiet', '--no-deps', '--no-binary=:all:', '--dest', folder];
    execFileSync('python3.11', ['-m', 'pip', ...asked, `${name}==${version}`]);
    execFileSync('sh', ['-euc', repositoryOf, 'sh', folder, place, tag]);
  }
}

/** A file of the source of a repository. */
export const fileOfSource = (into: string, repository: string, file: string): string =>
  execFileSync('git', ['--git-dir', join(into, repository), 'show', `HEAD:${file}`], { encoding: 'utf8' });

const repositoryOf = `
cd "$1"; mkdir source; tar -xzf *.tar.gz -C source --strip-components=1; cd source
git init --quiet --initial-branch=main; git add --all --force
git -c user.name=lab -c user.email=lab@localhost commit --quiet --message "$3"; git tag "$3"
git clone --quiet --bare . "$2"; cd "$2"; git update-server-info
`;
