import type { OsaIndex, OsaOffline, OsaRepository } from '../../cluster/cluster.ts';
import { osaDefaults } from '../../definition/openstack-ansible/defaults.ts';
import { partBelow } from '../../definition/openstack-ansible/part-below.ts';

/** What a definition says about mirrors. */
interface MirrorAddresses {
  readonly registry: string;
  readonly files: string;
  readonly git: string;
  readonly gitPush?: string | undefined;
  readonly directory?: string | undefined;
  readonly cargo?: string | undefined;
  readonly python?: string | undefined;
  readonly packages?: string | undefined;
}

/** A repository of a publisher, as `<owner>/<name>` below the mirror; what stands behind `#` stays. Empty: no mirror. */
export const mirroredGit = (source: string, git: string): string =>
  git === ''
    ? source
    : source.replace(/^https:\/\/(?:github\.com|opendev\.org)(?=\/)/, git.replace(/\/$/, ''));

/** A git repository that the definition needs, and a commit, tag or branch of it. */
interface ReleaseSource {
  readonly source: string;
  /** Empty: whichever OpenStack-Ansible itself asks for. */
  readonly version: string;
}

/** Fills the defaults. */
export const offlineOf = (
  written: MirrorAddresses | undefined,
  needed: readonly ReleaseSource[],
): OsaOffline => ({
  registry: written?.registry ?? '',
  files: written?.files.replace(/\/$/, '') ?? '',
  directory: written === undefined ? '' : directoryOf(written),
  crates: indexOf(written, 'cargo'),
  python: indexOf(written, 'python'),
  packages: indexOf(written, 'packages'),
  repositories: written === undefined ? [] : repositoriesOf(written, needed),
});

const directoryOf = ({ directory }: MirrorAddresses): string => directory ?? osaDefaults.mirrorDirectory;

/** What the web server of files offers is filled by whoever fills its directory. */
function indexOf(written: MirrorAddresses | undefined, key: 'cargo' | 'python' | 'packages'): OsaIndex {
  const url = written?.[key]?.replace(/\/$/, '') ?? '';
  if (written === undefined || url === '') return { url: '', folder: '' };
  const part = partBelow(url, written.files);
  return { url, folder: part === undefined ? '' : `${directoryOf(written).replace(/\/$/, '')}/${part}` };
}

/** Each once, sorted. One that is nobody's of the publishers is a mirror already. */
function repositoriesOf(
  { git, gitPush = '' }: MirrorAddresses,
  needed: readonly ReleaseSource[],
): readonly OsaRepository[] {
  const bare = needed.map(({ source, version }) => ({ source: source.replace(/#.*/, ''), version }));
  return [...new Set(bare.map(({ source }) => source))].sort().map((source) => {
    const push = mirroredGit(source, gitPush);
    return {
      source,
      target: mirroredGit(source, git),
      push: push === source ? '' : push,
      pins: [...new Set(bare.filter((each) => each.source === source).map(({ version }) => version))]
        .filter((version) => version !== '')
        .sort(),
    };
  });
}
