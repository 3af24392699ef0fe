import { isOurs } from '../operations/operation.ts';
import { isOfUpgrade } from '../operations/table.ts';
import { isNode, type AppliedState } from './applied.ts';
import { dottedPath, inWords, type Change } from './changes.ts';
import type { Difference } from './differences.ts';
import type { Movement } from './machines.ts';
import type { Snapshot } from './snapshot.ts';
import { step, type Step } from './step.ts';
import type { UpgradeMarks } from './marks/upgrade-marks.ts';

interface Versions {
  readonly applied: Pick<AppliedState, 'version' | 'phases' | keyof UpgradeMarks>;
  readonly wanted: Pick<Snapshot, 'cluster' | 'phases'>;
  readonly differences: readonly Difference[];
}

/** The steps to another version of Kubernetes. With kubeadm the upgrade asks for a snapshot of the same day. */
export function upgrades({ applied, wanted, differences }: Versions): readonly Step[] {
  const change = upgradeIn(differences);
  if (change === undefined && applied.upgrading !== undefined && isOurs(wanted.cluster))
    return [
      step('upgrade', [`an upgrade to ${applied.upgrading} did not complete: nodes that have it are named`]),
    ];
  if (change === undefined && applied.isReverted === true) return upgradedAgain(applied);
  const isThere = Object.keys(wanted.phases)
    .filter(isOfUpgrade)
    .every((phase) => applied.phases[phase] === wanted.phases[phase]);
  if (change === undefined || (applied.version === wanted.cluster.kubernetes.version && isThere)) return [];
  return [
    ...(isOurs(wanted.cluster)
      ? [step('etcd-backup', ['a snapshot is the only way back from an upgrade'])]
      : []),
    step('upgrade', [inWords(change)]),
  ];
}

/** Nobody knows of which version the snapshot was; the upgrade looks, and asks for a snapshot where it finds something. */
const upgradedAgain = ({ version, olderVersion = '' }: Versions['applied']): readonly Step[] => [
  step('etcd-backup', ['a snapshot is the only way back from an upgrade']),
  step('upgrade', [
    `etcd was restored since ${version} came, or that was begun: a snapshot of before says ${olderVersion} of the cluster, and has its kube-proxy and CoreDNS; where it is none, nothing is upgraded`,
  ]),
];

/** Names that a control plane brings with it are asked of nobody who is there. */
const upgradeIn = (differences: readonly Difference[]): Change | undefined =>
  differences.find(({ meaning, follows }) => meaning.kind === 'upgrade' && !follows)?.change;

/** An upgrade goes through all nodes of the definition, and nobody joins with a version that the cluster has not. */
export function upgradeObstacles(versions: Versions, { added, replaced }: Movement): readonly string[] {
  if (upgrades(versions).length === 0) return [];
  const { applied, wanted } = versions;
  const change = upgradeIn(versions.differences);
  if (change !== undefined && applied.isReverted === true)
    return [
      `kubernetes.version: etcd was restored, and may hold a cluster of ${applied.olderVersion ?? ''} on hosts that have ${applied.version}: bring the definition with ${applied.version} first, and ${wanted.cluster.kubernetes.version} after it`,
    ];
  const [key, what] =
    change === undefined || isOurs(wanted.cluster)
      ? ['kubernetes.version', 'the version']
      : [dottedPath(change), 'that'];
  return [...added, ...replaced.map(([machine]) => machine)]
    .filter(isNode)
    .map(
      ({ name }) =>
        `${key}: an upgrade goes through every node, and ${name} is not in yet as the definition says: bring one of the two first, ${what} or ${name}`,
    );
}
