import type { FleetCluster } from '../../generators/cluster.ts';
import type { Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';

/** How many clusters are worked on at a time, and how many may fail before no more are begun. */
export interface Limits {
  /** The first wave: so many clusters go before all others, and all of them have to succeed. */
  readonly canary: number;
  readonly atOnce: number;
  readonly perSite: number;
  readonly failures: number;
}

export interface Outcome {
  readonly cluster: FleetCluster;
  /** Undefined: not begun. */
  readonly result: Result<void, Failure> | undefined;
}

/** Works on every cluster once: first the canaries, then the others within the limits. In the order of the clusters. */
export async function inWaves(
  clusters: readonly FleetCluster[],
  { canary, failures, ...limits }: Limits,
  work: (cluster: FleetCluster) => Promise<Result<void, Failure>>,
): Promise<readonly Outcome[]> {
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
  { atOnce, perSite, failures }: Omit<Limits, 'canary'>,
  work: (cluster: FleetCluster) => Promise<Result<void, Failure>>,
): Promise<readonly Outcome[]> {
  const results = new Map<FleetCluster, Result<void, Failure>>();
  const waiting = [...clusters];
  const running = new Map<FleetCluster, Promise<void>>();
  const failed = (): number => [...results.values()].filter(({ ok }) => !ok).length;
  const busy = (site: string): number => [...running.keys()].filter((each) => each.site === site).length;
  const next = (): FleetCluster | undefined =>
    running.size < atOnce && failed() <= failures
      ? waiting.find(({ site }) => busy(site) < perSite)
      : undefined;
  for (;;) {
    for (let cluster = next(); cluster !== undefined; cluster = next()) {
      const begun = cluster;
      waiting.splice(waiting.indexOf(begun), 1);
      const ended = work(begun).then((result) => {
        results.set(begun, result);
        running.delete(begun);
      });
      running.set(begun, ended);
    }
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  return clusters.map((cluster) => ({ cluster, result: results.get(cluster) }));
}
