import type { FleetCluster } from '../../generators/cluster/cluster.ts';
import { phasesOf } from '../../generators/playbooks.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import { compareHosts, overheard } from '../drift/compare-hosts.ts';
import type { HostDifference } from '../drift/compared.ts';
import { perform } from '../pipeline.ts';
import { columns } from '../runtime/columns.ts';
import type { Event } from '../runtime/events.ts';
import type { Failure } from '../runtime/failures.ts';
import type { World } from '../runtime/world.ts';
import { definitionOf, reachOver, type FleetPlace } from './place.ts';
import { worldOf } from './told.ts';
import { inWaves, type WaveLimits, type ClusterOutcome } from './waves.ts';

/** What is known of one cluster. */
interface ClusterDrift {
  readonly differences: readonly HostDifference[];
  /** Of the control plane's certificates the one that ends first; undefined where kubeadm made none. */
  readonly expiry: Expiry | undefined;
}

export interface Expiry {
  readonly certificate: string;
  readonly host: string;
  /** Days until it ends; less than 0 once it has. */
  readonly days: number;
}

/** Compares the hosts of all clusters with their bundles, and looks at their certificates; changes nothing. */
export async function driftOfFleet(
  place: FleetPlace,
  { output, limits }: { readonly output: string; readonly limits: WaveLimits },
  world: World,
): Promise<Result<void, Failure>> {
  const known = new Map<FleetCluster, ClusterDrift>();
  // One that cannot be looked at is no reason to leave the others alone.
  const all = { ...limits, failures: place.clusters.length };
  const outcomes = await inWaves(place.clusters, all, async (cluster, begun) => {
    const looked = await look(place, { cluster, output }, worldOf(cluster, world, begun));
    if (looked.ok) known.set(cluster, looked.value);
    return looked.ok ? ok(undefined) : looked;
  });
  if (world.json) for (const outcome of outcomes) world.print(JSON.stringify(plain(outcome, known)));
  else world.print(columns([heading, ...outcomes.map((outcome) => row(outcome, known))]));
  return reportDrift(outcomes, known);
}

async function look(
  place: FleetPlace,
  { cluster, output }: { readonly cluster: FleetCluster; readonly output: string },
  world: World,
): Promise<Result<ClusterDrift, Failure>> {
  const own = { file: definitionOf(place, cluster, world), output, reach: reachOver(place, cluster) };
  const compared = await compareHosts(own, world);
  if (!compared.ok) return compared;
  const { rendered, differences } = compared.value;
  if (!phasesOf(rendered.cluster).some(({ name }) => name === 'certificates'))
    return ok({ differences, expiry: undefined });
  const said: Expiry[] = [];
  const options = { check: true, tags: ['verify'] };
  const ran = await perform(
    { ...own, playbook: 'certificates', options },
    overheard(world, (event) => {
      said.push(...expiriesIn(event));
    }),
  );
  return ran.ok ? ok({ differences, expiry: said.toSorted((a, b) => a.days - b.days)[0] }) : ran;
}

/** What the phase `certificates` shows of a host: lines like `good apiserver: 364 days, until Nov 22, 2027 12:00 UTC`. */
export const expiriesIn = (event: Event): readonly Expiry[] =>
  event.type !== 'host-finished'
    ? []
    : [...event.message.matchAll(/^(?:good|due|external|authority) (\S+): (-?\d+) days/gm)].map(
        ([, certificate = '', days = '']) => ({ certificate, host: event.host, days: Number(days) }),
      );

const heading = ['cluster', 'site', 'node', 'hosts', 'first certificate to end'];

function row({ cluster, result }: ClusterOutcome, known: ReadonlyMap<FleetCluster, ClusterDrift>): string[] {
  const looked = known.get(cluster);
  return [
    ...[cluster.name, cluster.site, cluster.node],
    ...(looked === undefined
      ? [result?.ok === false ? `not known: ${result.failure.message}` : 'not looked at', '']
      : [wordsOf(looked.differences), endOf(looked.expiry)]),
  ];
}

function wordsOf(differences: readonly HostDifference[]): string {
  const hostsOf = (kind: HostDifference['kind']): string =>
    [...new Set(differences.filter((each) => each.kind === kind).map(({ host }) => host))].sort().join(', ');
  const differ = hostsOf('differs');
  const unknown = hostsOf('unknown');
  return [
    differ === '' ? 'as the bundle says' : `differ: ${differ}`,
    ...(unknown === '' ? [] : [`could not be checked: ${unknown}`]),
  ].join('; ');
}

const endOf = (expiry: Expiry | undefined): string =>
  expiry === undefined ? '' : `${expiry.days} days: ${expiry.certificate} of ${expiry.host}`;

const plain = (
  { cluster, result }: ClusterOutcome,
  known: ReadonlyMap<FleetCluster, ClusterDrift>,
): object => ({
  type: 'drift',
  ...{ cluster: cluster.name, site: cluster.site, node: cluster.node },
  ...(known.get(cluster) ?? { problem: result?.ok === false ? result.failure.message : 'not looked at' }),
});

/** Certificates that are due are told, not a failure: `npx task run certificates` renews those with fewer than 30 days. */
function reportDrift(
  outcomes: readonly ClusterOutcome[],
  known: ReadonlyMap<FleetCluster, ClusterDrift>,
): Result<void, Failure> {
  const differing = [...known].filter(([, { differences }]) =>
    differences.some(({ kind }) => kind === 'differs'),
  );
  const silent = outcomes.filter(({ cluster }) => !known.has(cluster));
  const names = silent.map(({ cluster }) => cluster.name).join(', ');
  if (differing.length > 0)
    return failed({
      kind: 'drifted',
      message: `${differing.map(([{ name }]) => name).join(', ')}: hosts differ from the bundle`,
      evidence: names === '' ? '' : `nothing is known of ${names}`,
      next: 'Look at one: npx task fleet run --check --cluster NAME; restore it: npx task fleet run --cluster NAME',
    });
  return silent.length === 0
    ? ok(undefined)
    : failed({ kind: 'connection', message: `nothing is known of ${names}`, next: 'npx task fleet doctor' });
}
