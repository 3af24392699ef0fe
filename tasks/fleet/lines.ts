import type { FleetLine } from '../../generators/report/report.ts';
import { ok, type Result } from '../../generators/result.ts';
import { fleetPlace } from './place.ts';
import { heldBy, latestRuns, type ClusterRuns } from './runs.ts';
import type { Failure } from '../runtime/failures.ts';
import type { World } from '../runtime/world.ts';

/** Every cluster of a fleet with its latest run, as its execution node tells it. */
export async function fleetLines(file: string, world: World): Promise<Result<readonly FleetLine[], Failure>> {
  const place = await fleetPlace(file, { names: [], sites: [], labels: [] }, world);
  if (!place.ok) return place;
  try {
    return ok((await latestRuns(place.value, 1, world)).map(line));
  } finally {
    await place.value.ways.close();
  }
}

/** Shapes what was seen of one cluster for the page. */
export function line({
  cluster: { name, site, node, labels },
  runs: [run],
  lock,
  problem,
}: ClusterRuns): FleetLine {
  return {
    ...{ cluster: name, site, node, problem },
    labels: labels.map(({ key, value }) => `${key}=${value}`),
    status: run?.status ?? (problem === '' ? 'never run' : 'not known'),
    run: run?.run ?? '',
    playbook: run?.playbook.replace(/\.yml$/, '') ?? '',
    check: run?.options.check ?? false,
    started: run?.started ?? '',
    seconds: run?.seconds ?? 0,
    operator: run?.meta.operator ?? '',
    lock: heldBy(lock),
  };
}
