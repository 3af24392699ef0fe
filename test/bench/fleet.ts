import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { planOf } from '../../generators/plan/plan.ts';
import type { AppliedState } from '../../generators/plan/applied.ts';
import type { Snapshot } from '../../generators/plan/snapshot.ts';
import { world as worldOf } from '../../tasks/runtime/world.ts';
import { renderBundle } from '../../tasks/steps/bundle/bundle.ts';
import { snapshotOfRendered } from '../../tasks/steps/state/life.ts';
import { definitionOf } from './definition.ts';
import { atMost, median, seen, type Figure } from './figure.ts';
import { interleaved, timed } from './interleaved.ts';
import { counted, type Bench } from './options.ts';
import { whole } from './plan.ts';

/** Definition files of many clusters and what is applied to each → their plans. Every cluster gets one more worker. */
export async function fleet({
  repetitions,
  say,
  share,
}: Pick<Bench, 'repetitions' | 'say' | 'share'>): Promise<readonly Figure[]> {
  const clusters = counted(500, { share });
  say(`fleet: plans of ${clusters} clusters`);
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-bench-'));
  const world = { ...worldOf({ json: true, quiet: true }), cwd: folder, report: () => undefined };
  try {
    const applied = new Map<string, AppliedState>();
    for (let index = 0; index < clusters; index += 1) {
      const name = `edge-${index}`;
      write(folder, name, 5);
      applied.set(name, whole(await snapshot(name, world)));
      write(folder, name, 6);
    }
    const spent: number[] = [];
    const work = timed(async () => {
      const before = process.cpuUsage();
      for (const [name, there] of applied) {
        const { steps } = planOf({ applied: there, wanted: await snapshot(name, world) });
        if (steps.length === 0) throw new Error(`the plan of ${name} lacks its new worker`);
      }
      const { user, system } = process.cpuUsage(before);
      spent.push((user + system) / 1e6);
    });
    const times = await interleaved({ work }, repetitions);
    return [
      atMost(`plan of ${clusters} clusters of 5 nodes and a new one`, times.work, { unit: 's', goal: 10 }),
      // On a machine that does other work as well, this says more.
      seen(`plan of ${clusters} clusters, time of a processor`, median(spent), 's'),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function write(folder: string, name: string, nodes: number): void {
  writeFileSync(join(folder, `${name}.yml`), definitionOf(nodes, { name, ansibleServer: 'local' }));
}

/** As `npx task fleet plan` makes it of every cluster. */
async function snapshot(name: string, world: ReturnType<typeof worldOf>): Promise<Snapshot> {
  const rendered = await renderBundle({ file: `${name}.yml`, output: 'playbooks' }, world);
  if (!rendered.ok) throw new Error(rendered.failure.message);
  return snapshotOfRendered(rendered.value);
}
