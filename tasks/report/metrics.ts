import { mainPlaybook } from '../../generators/playbooks.ts';
import {
  certificateEnds,
  certificatePlaybooks,
  type CertificateEnd,
} from '../../generators/report/certificates.ts';
import { drillOf, type Drill } from '../../generators/report/drill.ts';
import { exposition } from '../../generators/report/metrics.ts';
import { runMetrics, type RunSample } from '../../generators/report/run-metrics.ts';
import { ok, type Result } from '../../generators/result.ts';
import type { RunBrief } from '../runtime/agent/run-records.ts';
import type { Failure } from '../runtime/failures.ts';
import { runs as listRuns } from '../steps/run/runs.ts';
import type { Session } from '../steps/server/session.ts';

/** What the Ansible server knows of the runs of a cluster, in Prometheus' text format. */
export async function clusterMetrics({
  server,
  cluster,
}: Pick<Session, 'server' | 'cluster'>): Promise<Result<string, Failure>> {
  const listed = await listRuns(server, { cluster: cluster.name, limit: most });
  if (!listed.ok) return listed;
  const { runs, locks } = listed.value;
  const drills: Drill[] = [];
  for (const run of lastDrills(runs)) {
    const record = await server.agent().ask('record', { cluster: cluster.name, run });
    if (!record.ok) return record;
    const drill = drillOf(record.value.results);
    if (drill !== undefined) drills.push(drill);
  }
  const certificates = await lastCertificates(server, cluster.name, runs);
  if (!certificates.ok) return certificates;
  return ok(
    exposition(
      runMetrics({
        cluster: cluster.name,
        main: nameOf(mainPlaybook(cluster)),
        runs: runs.map(sampleOf),
        drills,
        certificates: certificates.value,
        lockedSince: locks[cluster.name]?.since,
      }),
    ),
  );
}

/** More than any retention keeps. */
const most = 10_000;

const nameOf = (playbook: string): string => playbook.replace(/\.yml$/, '');

/** The last run of each drill that ended and injected something. */
function lastDrills(runs: readonly RunBrief[]): readonly string[] {
  const drills = runs.filter(
    ({ playbook, status, options }) =>
      playbook.startsWith('drill-') && status !== 'running' && options.check !== true,
  );
  return [...new Map(drills.map(({ playbook, run }) => [playbook, run])).values()];
}

/** The last run that read all of them says it in its events. */
async function lastCertificates(
  server: Session['server'],
  cluster: string,
  runs: readonly RunBrief[],
): Promise<Result<readonly CertificateEnd[], Failure>> {
  const last = runs.findLast(
    ({ playbook, status, options }) =>
      certificatePlaybooks.includes(playbook) && status === 'successful' && options.limit === undefined,
  );
  if (last === undefined) return ok([]);
  const words: Parameters<typeof certificateEnds>[0][number][] = [];
  const ended = await server.agent().ask('follow', { cluster, run: last.run, from: 0 }, (event) => {
    if (event.type === 'host-finished') words.push(event);
  });
  return ended.ok ? ok(certificateEnds(words)) : ended;
}

function sampleOf({ playbook, options, status, ended, seconds, recap }: RunBrief): RunSample {
  const hosts = Object.values(recap ?? {});
  return {
    playbook: nameOf(playbook),
    check: options.check === true,
    whole:
      [options.limit, options.tags, options.skipTags].every((words = []) => words.length === 0) &&
      !options.scope,
    successful: status === 'successful',
    ended: status === 'running' ? null : ended,
    seconds,
    changed: hosts.filter(({ changed }) => changed > 0).length,
    wrong: hosts.filter(({ failed, unreachable }) => failed + unreachable > 0).length,
  };
}
