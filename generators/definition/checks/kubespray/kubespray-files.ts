import { kubesprayTemplate } from '../../../catalog/python/requirements.ts';
import { filesOfTag } from '../../../catalog/kubespray/commits.ts';
import { keyProblemAt, warning, type Finding } from '../../../source/finding.ts';
import { at, type KubesprayFacts } from './kubespray-knows.ts';

/** Which files it is has to be known, since they run as root on every machine. */
export function files({ written }: KubesprayFacts): Finding[] {
  const { version = '', path, git, archive } = written;
  const names = (['commit', 'tree'] as const).filter((key) => written[key] !== undefined);
  if (archive !== undefined)
    return names.map((key) =>
      keyProblemAt(at(key), 'an archive is known by its checksum', 'archive.sha256 alone'),
    );
  if (names.length === 2)
    return [keyProblemAt(at('tree'), 'the files are named twice, also by `commit`', 'one of them')];
  if (names.length === 1 || filesOfTag(version) !== undefined || (path ?? git) === undefined) return [];
  return [
    warning(
      at('version'),
      `which files kubespray ${version} has is not known here, so no run calls it yet`,
      `${version}, with the \`commit\` that you looked at: git rev-parse HEAD in its checkout`,
    ),
  ];
}

/** `bootstrap` installs no package whose checksum nobody knows. */
export function packages({ written }: KubesprayFacts): Finding[] {
  const { version = '', wheels } = written;
  if (wheels !== undefined || kubesprayTemplate(version) !== undefined) return [];
  return [
    warning(
      at('version'),
      `the checksums of the Python packages that kubespray ${version} wants are not known here, so \`bootstrap\` installs none of them`,
      '`wheels`, a folder on the Ansible server that has them',
    ),
  ];
}
