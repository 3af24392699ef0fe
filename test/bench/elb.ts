import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { down, faults, type Lab } from '../../lab/index.ts';
import {
  answering,
  externalDefinition,
  externalShape,
  removeByRestart,
  startNodePort,
  trafficDuring,
  untilWithout,
} from '../support/hosts/external-load-balancer.ts';
import { holders, must, raiseLab, until } from '../support/hosts/lab.ts';
import { task } from './command.ts';
import { atMost, median, seen, type Figure } from './figure.ts';
import type { Bench } from './options.ts';

const name = 'bench-elb';
const victim = 'worker3';

/** Requests that clients lose at the external load balancer when a node goes as planned, comes, or dies. */
export async function elb({ repetitions, say }: Bench): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-bench-'));
  try {
    say(`elb: making the lab ${name}`);
    const lab = await raiseLab(name, externalShape);
    for (const worker of ['worker1', 'worker2', victim]) await startNodePort(lab, worker);
    const ground = { lab, apply: applied(lab, folder) };
    await ground.apply([], 'site');
    const lost = new Map<Event, number[]>();
    for (let round = 0; round < repetitions; round += 1)
      for (const event of events) {
        const { failed, asked } = await trafficDuring(lab, () => happen[event](ground));
        say(
          `elb: round ${round + 1} of ${repetitions}, ${event}: ${failed.length} of ${asked} requests failed`,
        );
        lost.set(event, [...(lost.get(event) ?? []), failed.length]);
        await settle[event]?.(ground);
      }
    return figures((event) => lost.get(event) ?? []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    must(await down(name));
  }
}

interface Ground {
  readonly lab: Lab;
  /** Brings the load balancer to the definition without these workers. */
  readonly apply: (without: readonly string[], playbook?: string) => Promise<void>;
}

const events = ['removed', 'added', 'killed', 'restarted'] as const;
type Event = (typeof events)[number];

/** In turns: each begins where the one before, and what settles it, has left off. */
const happen: Readonly<Record<Event, (ground: Ground) => Promise<unknown>>> = {
  removed: async ({ lab, apply }) => {
    await apply([victim]);
    must(await faults.power.inject(lab, { host: victim }));
  },
  added: async ({ lab, apply }) => {
    await apply([]);
    must(await faults.power.undo(lab, { host: victim }));
    await until(`${victim} answers`, async () => (await answering(lab)).has(victim));
  },
  killed: async ({ lab }) => {
    must(await faults.power.inject(lab, { host: victim }));
    await untilWithout(lab, victim);
  },
  restarted: async ({ lab }) => {
    const [holder = ''] = await holders(lab);
    await removeByRestart(lab, holder, victim);
  },
};

const settle: Partial<typeof happen> = {
  killed: async ({ lab }) => {
    must(await faults.power.undo(lab, { host: victim }));
  },
  restarted: ({ apply }) => apply([]),
};

const applied =
  (lab: Lab, folder: string): Ground['apply'] =>
  async (without, playbook = 'external-load-balancer') => {
    const place = ['--file', join(folder, 'cluster.yml'), '--output', join(folder, 'playbooks')];
    writeFileSync(join(folder, 'cluster.yml'), externalDefinition(lab, { without }));
    await task(['render', '--quiet', ...place]);
    await task(['run', playbook, '--quiet', ...place]);
  };

const figures = (lost: (event: Event) => readonly number[]): readonly Figure[] => [
  atMost('elb: requests lost, a node removed as planned, worst', Math.max(...lost('removed')), none),
  atMost('elb: requests lost, a node added, worst', Math.max(...lost('added')), none),
  seen('elb: requests lost, a node switched off', median(lost('killed')), ''),
  seen("elb: requests lost, removed by a restart as Tacker's script does it", median(lost('restarted')), ''),
];

const none = { unit: '', goal: 0 };
