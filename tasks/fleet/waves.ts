import type { FleetCluster } from '../../generators/cluster/cluster.ts';
import type { Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';

/** How many clusters are worked on at a time, and how many may fail before no more are begun. */
export interface WaveLimits {
  /** The first wave: so many clusters go before all others, and all of them have to succeed. */
  readonly canary: number;
  readonly atOnce: number;
  readonly perSite: number;
  readonly failures: number;
}

export interface ClusterOutcome {
  readonly cluster: FleetCluster;
  /** Undefined: not begun. */
  readonly result: Result<void, Failure> | undefined;
}

/** Works on one cluster; `begun` is called when its run has begun. */
type Work = (cluster: FleetCluster, begun: () => void) => Promise<Result<void, Failure>>;

/**
 * How many may be at their beginning at a time. That takes the control node several requests side by side, of which some time
 * out where hundreds come in the same second.
 */
const beginAtOnce = 10;

/** Works on every cluster once: first the canaries, then the others within the limits. In the order of the clusters. */
export async function inWaves(
  clusters: readonly FleetCluster[],
  { canary, failures, ...limits }: WaveLimits,
  work: Work,
): Promise<readonly ClusterOutcome[]> {
  const first = await wave(clusters.slice(0, canary), { ...limits, failures: 0 }, work);
  const rest = clusters.slice(canary);
  const sound = first.every(({ result }) => result?.ok === true);
  return [
    ...first,
    ...(sound
      ? await wave(rest, { ...limits, failures }, work)
      : rest.map((cluster) => ({ cluster, result: undefined }))),
  ];
}

async function wave(
  clusters: readonly FleetCluster[],
  { atOnce, perSite, failures }: Omit<WaveLimits, 'canary'>,
  work: Work,
): Promise<readonly ClusterOutcome[]> {
  const results = new Map<FleetCluster, Result<void, Failure>>();
  const waiting = [...clusters];
  const running = new Map<FleetCluster, Promise<void>>();
  const beginning = new Set<FleetCluster>();
  let oneBegan = (): void => undefined;
  const failed = (): number => [...results.values()].filter(({ ok }) => !ok).length;
  const busy = (site: string): number => [...running.keys()].filter((each) => each.site === site).length;
  const next = (): FleetCluster | undefined =>
    running.size < atOnce && beginning.size < beginAtOnce && failed() <= failures
      ? waiting.find(({ site }) => busy(site) < perSite)
      : undefined;
  for (;;) {
    for (let cluster = next(); cluster !== undefined; cluster = next()) {
      const begun = cluster;
      waiting.splice(waiting.indexOf(begun), 1);
      beginning.add(begun);
      const hasBegun = (): void => {
        beginning.delete(begun);
        oneBegan();
      };
      const ended = work(begun, hasBegun).then((result) => {
        results.set(begun, result);
        beginning.delete(begun);
        running.delete(begun);
      });
      running.set(begun, ended);
    }
    if (running.size === 0) break;
    const anotherBegan = new Promise<void>((resolve) => {
      oneBegan = resolve;
    });
    await Promise.race([...running.values(), anotherBegan]);
  }
  return clusters.map((cluster) => ({ cluster, result: results.get(cluster) }));
}
