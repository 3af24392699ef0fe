import {
  containerdFor,
  containerdLines,
  judgeContainerd,
  packagedContainerd,
  recommendedContainerd,
} from '../../../catalog/kubernetes/containerd.ts';
import { defaultVersion, isOver, minorFact, minors, readOn } from '../../../catalog/kubernetes/minors.ts';
import { lineOf, minorOf } from '../../../catalog/kubernetes/version.ts';
import { problemAt, warning, type Finding } from '../../../source/finding.ts';
import { hole, type Facts } from '../facts.ts';

/** Whether the release of Kubernetes still gets patches, and whether it goes with containerd's. */
export function versions({ draft }: Facts): readonly Finding[] {
  const version = draft.installer?.kubeadm?.version;
  if (version === undefined) return [];
  return [
    ...support(version),
    ...checkArchiveVersion(version, draft),
    ...checkPackagedVersions(version, draft),
  ];
}

type FactsDraft = Facts['draft'];

/** Judged by the day on which the table was read, so that the same definition always gets the same answer. */
function support(version: string): Finding[] {
  const known = minorFact(version);
  const [oldest, newest] = [minors[0]?.minor ?? 0, minors.at(-1)?.minor ?? 0];
  const say = (wrong: string): Finding[] => [
    warning(['installer', 'kubeadm', 'version'], wrong, `${defaultVersion}; \`npx task versions\` shows all`),
  ];
  if (known && isOver(known, readOn))
    return say(`Kubernetes 1.${known.minor} has got no patches since ${known.endOfLife}`);
  if (minorOf(version) < oldest) return say(`Kubernetes ${lineOf(version)} gets no patches any more`);
  return minorOf(version) > newest
    ? say(`Kubernetes ${lineOf(version)} is newer than what was known on ${readOn}`)
    : [];
}

function checkArchiveVersion(version: string, { containerd }: FactsDraft): Finding[] {
  const written = containerd?.archive?.version;
  if (written === undefined) return [];
  const minor = minorOf(version);
  const at = ['containerd', 'archive', 'version'];
  const right = `${recommendedContainerd(minor)}, or another of \`npx task versions\``;
  const verdict = judgeContainerd(written, minor);
  if (verdict === 'refused') {
    const { refusedBefore } = containerdFor(minor);
    return [
      problemAt(at, `Kubernetes 1.${minor} does not start with containerd before ${refusedBefore}`, right),
    ];
  }
  if (verdict === 'untested')
    return [
      warning(
        at,
        `containerd ${written} was not tested with Kubernetes 1.${minor}${fallback(written, minor)}`,
        right,
      ),
    ];
  const line = containerdLines.find((each) => each.line === lineOf(written));
  return line && line.endOfLife < readOn
    ? [warning(at, `containerd ${line.line} has got no patches since ${line.endOfLife}`, right)]
    : [];
}

/** Kubelets before 1.38 warn of containerd 1, and take the cgroup driver from their own configuration. */
const fallback = (containerd: string, minor: number): string =>
  minor >= 36 && containerd.startsWith('1.') ? ': the kubelet warns of it, and that of 1.38 refuses it' : '';

/** Nobody knows here which distribution the nodes have, so each is told of whose package is outside of what was tested. */
function checkPackagedVersions(version: string, draft: FactsDraft): Finding[] {
  if (hole(draft, 'containerd') || hole(draft.containerd, 'archive') || draft.containerd?.archive) return [];
  const minor = minorOf(version);
  const outside = packagedContainerd.filter(({ version: each }) =>
    ['untested', 'refused'].includes(judgeContainerd(each, minor)),
  );
  if (outside.length === 0) return [];
  const packages = outside.map(({ system, version: each }) => `${system} (${each})`).join(', ');
  return [
    warning(
      ['installer', 'kubeadm', 'version'],
      `Kubernetes 1.${minor} was not tested with the package of containerd that these have: ${packages}`,
      `\`containerd.archive\` with version ${recommendedContainerd(minor)}, unless your nodes have another`,
    ),
  ];
}
