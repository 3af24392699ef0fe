import { exec, type Lab } from '../../../lab/index.ts';
import { must } from './lab.ts';
import type { ExecutionNode, ListedCluster } from './mesh-lab.ts';

/** Three sites, each with the execution node that runs its clusters. */
export const execution: readonly ExecutionNode[] = ['bergen', 'oslo', 'paris'].map((site, index) => ({
  ...{ name: `exec${index + 1}`, host: `mesh${index + 2}`, site },
}));

/** The last number of a virtual address: those that no host of such a lab has. */
const vipOf = (index: number): number => (index < 60 ? 21 + index : 140 + index);

const at = (index: number): Pick<ListedCluster, 'site' | 'node'> => {
  const { site = '', name = '' } = execution[index % execution.length] ?? {};
  return { site, node: name };
};

/** One of three control planes in each site, named like it. On them a stand-in answers as the API server. */
const real: readonly ListedCluster[] = execution.map(({ site }, index) => ({
  ...{ name: site, ...at(index), labels: { tier: 'canary' } },
  hosts: [1, 2, 3].map((number) => `cp${index * 3 + number}`),
  ...{ vip: vipOf(index), virtualRouterId: index + 1 },
}));

/** One machine each, behind whose HAProxy no API answers. */
const small = (count: number): readonly ListedCluster[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ name: `${at(index).site}-${String(index + 1).padStart(2, '0')}`, ...at(index) },
    ...{ hosts: [`edge${index + 1}`], labels: { tier: 'rest' }, look: '10s' },
    ...{ vip: vipOf(real.length + index), virtualRouterId: real.length + index + 1 },
  }));

/** So many clusters over three sites: three of three machines each come first, the others are of one machine. */
export const clustersOf = (count: number): readonly ListedCluster[] => [
  ...real,
  ...small(count - real.length),
];

/** What lies on a node of one run. */
export interface KeptRun {
  readonly cluster: string;
  readonly run: string;
  readonly status: string;
  readonly playbook: string;
  /** ISO 8601, UTC. */
  readonly started: string;
  readonly ended: string;
}

/** Every record that lies on a node, read from its disk. */
export async function recordsOn(lab: Lab, host: string): Promise<readonly KeptRun[]> {
  const told = must(await exec(lab, host, ['python3', '-c', reading], { timeout: 120 }));
  return JSON.parse(told.stdout) as readonly KeptRun[];
}

const reading = `
import glob, json
keys = ("cluster", "run", "status", "playbook", "started", "ended")
records = [json.load(open(path)) for path in sorted(glob.glob("/home/ops/playsmith/runs/*/*/record.json"))]
print(json.dumps([{key: record.get(key) for key in keys} for record in records]))`;

/** The most runs that were under way at one moment. */
export function mostAtOnce(runs: readonly Pick<KeptRun, 'started' | 'ended'>[]): number {
  // Where one ends in the millisecond in which another begins, the end comes first.
  const changes = runs
    .flatMap(({ started, ended }) => [
      { when: Date.parse(ended), by: -1 },
      { when: Date.parse(started), by: 1 },
    ])
    .sort((a, b) => a.when - b.when || a.by - b.by);
  let now = 0;
  return Math.max(0, ...changes.map(({ by }) => (now += by)));
}
