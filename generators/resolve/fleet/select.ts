import type { Fleet, FleetCluster } from '../../cluster/cluster.ts';
import { nearest } from '../../source/nearest.ts';
import { failed, ok, type Result } from '../../result.ts';

/** Whom somebody means, of the clusters of a fleet: every list that is not empty must hold. */
export interface FleetChoice {
  readonly names: readonly string[];
  readonly sites: readonly string[];
  /** `key=value`; all of them. */
  readonly labels: readonly string[];
}

/** The clusters that are meant, in the order of the definition, or every reason why nobody knows: one sentence each. */
export function chosenClusters(
  { clusters }: Fleet,
  { names, sites, labels }: FleetChoice,
): Result<readonly FleetCluster[], readonly string[]> {
  const known = (words: readonly string[], of: readonly string[], what: string): string[] =>
    words
      .filter((word) => !of.includes(word))
      .map((word) => {
        const meant = nearest(word, [...new Set(of)]);
        return `${word} is no ${what} of the fleet${meant === undefined ? '' : `; is it ${meant}?`}`;
      });
  const pairs = clusters.flatMap((cluster) => labelsOf(cluster));
  const reasons = [
    ...known(
      names,
      clusters.map(({ name }) => name),
      'cluster',
    ),
    ...known(
      sites,
      clusters.map(({ site }) => site),
      'site',
    ),
    ...known(labels, pairs, 'label'),
  ];
  if (reasons.length > 0) return failed(reasons);
  const found = clusters.filter(
    (cluster) =>
      (names.length === 0 || names.includes(cluster.name)) &&
      (sites.length === 0 || sites.includes(cluster.site)) &&
      labels.every((label) => labelsOf(cluster).includes(label)),
  );
  return found.length > 0 ? ok(found) : failed(['no cluster of the fleet is all of that']);
}

const labelsOf = ({ labels }: FleetCluster): string[] => labels.map(({ key, value }) => `${key}=${value}`);
