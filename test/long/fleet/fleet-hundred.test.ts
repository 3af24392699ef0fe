import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describe as describeLab, down, faults, type Lab } from '../../../lab/index.ts';
import { fewAtATime } from '../../../tasks/runtime/turns.ts';
import {
  clustersOf,
  execution,
  mostAtOnce,
  recordsOn,
  type KeptRun,
} from '../../support/hosts/fleet-hundred.ts';
import { must, on } from '../../support/hosts/lab.ts';
import { raiseMesh, vipAt } from '../../support/hosts/mesh-lab.ts';
import type { Ended, Project } from '../../support/project.ts';

const name = 'hundred';
const clusters = clustersOf(100);
const canaries = clusters.filter(({ hosts }) => hosts.length > 1).map((cluster) => cluster.name);
/** Its machine is off when its turn comes, after a few others. */
const { name: broken = '', hosts: [brokenHost = ''] = [] } = clusters[8] ?? {};
const limits = { atOnce: 5, perSite: 2 };
const hours = 3_600_000;

let lab: Lab;
let here: Project;

beforeAll(async () => {
  const shape = { controlPlanes: 9, edges: clusters.length - canaries.length, mesh: 4, client: true };
  ({ lab, here } = await raiseMesh(name, shape, { execution, clusters }));
  await here.done('render', '-f', 'fleet.yml');
  await here.done('run', '-f', 'fleet.yml');
  await fewAtATime(clusters, 2, (cluster) => here.done('render', '-f', `${cluster.name}.yml`));
}, 2 * hours);

afterAll(async () => {
  await here.remove();
  must(await down(name));
}, hours);

const linesOf = ({ stdout }: Ended): readonly Readonly<Record<string, unknown>>[] =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);

/** Names of clusters by how they came out of it. */
function outcomes(ended: Ended): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, string[]> = {};
  for (const { cluster, outcome } of linesOf(ended))
    if (typeof outcome === 'string') (found[outcome] ??= []).push(String(cluster));
  return found;
}

const plansOf = (ended: Ended) =>
  linesOf(ended).filter(({ type }) => type === 'plan') as {
    readonly cluster: string;
    readonly steps: readonly unknown[];
  }[];

const planId = (ended: Ended): string =>
  String(linesOf(ended).find(({ type }) => type === 'fleet-plan')?.['id']);

const waves = [
  ...['--canary', String(canaries.length)],
  ...['--at-once', String(limits.atOnce), '--per-site', String(limits.perSite)],
];

/** The records on all execution nodes, each with the node where it lies. */
async function records(): Promise<readonly (KeptRun & { readonly node: string })[]> {
  const found = await Promise.all(
    execution.map(async ({ name: node, host }) =>
      (await recordsOn(lab, host)).map((record) => ({ ...record, node })),
    ),
  );
  return found.flat();
}

const countOf = (names: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...new Set(names)].map((each) => [each, names.filter((n) => n === each).length]));

describe('a hundred clusters', () => {
  let before: readonly string[] = [];

  test('are planned, all in one plan', async () => {
    const plans = plansOf(await here.done('fleet', 'plan', '--json'));
    expect(plans.map(({ cluster }) => cluster)).toEqual(clusters.map((cluster) => cluster.name));
    expect(plans.filter(({ steps }) => steps.length === 0)).toEqual([]);
    expect(await records()).toEqual([]);
  });

  test(
    'are left alone from the moment when more failed than may',
    async () => {
      const machine = { host: brokenHost };
      must(await faults.power.inject(lab, machine));
      const stopped = await here.task('fleet', 'apply', '--yes', '--json', ...waves, '--failures', '0');
      must(await faults.power.undo(lab, machine));
      expect(stopped.status, stopped.said).not.toBe(0);
      const { successful = [], failed = [], 'not-begun': idle = [] } = outcomes(stopped);
      expect(failed).toEqual([broken]);
      expect(successful).toEqual(expect.arrayContaining(canaries));
      // Those before it, and those that were under way beside it; what was begun is ended.
      expect(successful.length).toBeLessThan(8 + 2 * limits.atOnce);
      expect(idle).toHaveLength(clusters.length - successful.length - 1);
      const kept = await records();
      expect(kept.map(({ cluster }) => cluster).sort()).toEqual([...successful, broken].sort());
      before = successful;
    },
    hours,
  );

  test(
    'are taken up where they were left, in waves, and every one ends',
    async () => {
      const planned = await here.done('fleet', 'plan', '--json');
      const open = plansOf(planned).filter(({ steps }) => steps.length > 0);
      expect(open).toHaveLength(clusters.length - before.length);
      const words = ['--plan', planId(planned), '--yes', '--json', ...waves, '--failures', '3'];
      const applied = await here.task('fleet', 'apply', ...words);
      expect(applied.status, applied.said).toBe(0);
      expect(outcomes(applied)).toEqual({ successful: clusters.map((cluster) => cluster.name) });
    },
    3 * hours,
  );

  test('have run once each, and one twice: the one that failed', async () => {
    const kept = await records();
    const well = kept.filter(({ status }) => status === 'successful');
    const once = Object.fromEntries(clusters.map((cluster) => [cluster.name, 1]));
    expect(countOf(well.map(({ cluster }) => cluster))).toEqual(once);
    expect(kept.filter((each) => !well.includes(each)).map(({ cluster }) => cluster)).toEqual([broken]);
    // Each on the node of its own site.
    const places = Object.fromEntries(clusters.map((cluster) => [cluster.name, cluster.node]));
    expect(kept.filter(({ cluster, node }) => places[cluster] !== node)).toEqual([]);
  });

  test('were run in waves: canaries first, then as many at a time as may, in all and in each site', async () => {
    const kept = await records();
    const wave = (first: boolean) => kept.filter(({ cluster }) => canaries.includes(cluster) === first);
    const lastCanary = Math.max(...wave(true).map(({ ended }) => Date.parse(ended)));
    expect(Math.min(...wave(false).map(({ started }) => Date.parse(started)))).toBeGreaterThan(lastCanary);
    expect(mostAtOnce(kept)).toBe(limits.atOnce);
    for (const { name: node } of execution)
      expect(mostAtOnce(kept.filter((each) => each.node === node))).toBeLessThanOrEqual(limits.perSite);
  });

  test('have nothing left to do', async () => {
    const plans = plansOf(await here.done('fleet', 'plan', '--json'));
    expect(plans.map(({ steps }) => steps.length)).toEqual(clusters.map(() => 0));
  });

  test(
    'have what their definitions say: every machine its HAProxy and its address',
    async () => {
      await fewAtATime(clusters, 4, async ({ name: cluster, hosts, vip }) => {
        const address = vipAt(describeLab(lab), vip);
        const held = await Promise.all(
          hosts.map((host) =>
            on(lab, host, 'sh', '-c', `systemctl is-active haproxy && ip -o a s to ${address}`),
          ),
        );
        expect(
          held.filter((text) => text.startsWith('active')),
          cluster,
        ).toHaveLength(hosts.length);
        expect(
          held.filter((text) => text.includes(` ${address}/`)),
          cluster,
        ).toHaveLength(1);
      });
    },
    hours,
  );

  test('answer on the addresses of those that have an API', async () => {
    for (const { hosts, vip } of clusters.filter((cluster) => canaries.includes(cluster.name))) {
      const url = `https://${vipAt(describeLab(lab), vip)}:6440/readyz`;
      expect(hosts).toContain(await on(lab, 'client', 'python3', '-c', ask, url));
    }
  });
});

const ask = [
  'import ssl, sys, urllib.request',
  'answer = urllib.request.urlopen(sys.argv[1], timeout=5, context=ssl._create_unverified_context())',
  'print(answer.headers["X-Answered-By"] if answer.read() == b"ok" else "")',
].join('\n');
