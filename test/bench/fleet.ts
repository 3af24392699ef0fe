import { pack } from '../../generators/bundle.ts';
import { load } from '../../generators/definition/load.ts';
import { planOf } from '../../generators/plan.ts';
import type { Applied } from '../../generators/plan/applied.ts';
import { snapshotOf, type Snapshot } from '../../generators/plan/snapshot.ts';
import { render } from '../../generators/render.ts';
import { readTemplates } from '../../tasks/steps/load.ts';
import { definitionOf } from './definition.ts';
import { atMost, type Figure } from './figure.ts';
import { interleaved, timed } from './interleaved.ts';
import type { Bench } from './options.ts';
import { whole } from './plan.ts';

const clusters = 500;

/** Definition texts of many clusters and what is applied to each → their plans. Every cluster gets one more worker. */
export async function fleet({ repetitions, say }: Bench): Promise<readonly Figure[]> {
  say(`fleet: plans of ${clusters} clusters`);
  const templates = await readTemplates();
  const snapshot = (nodes: number, name: string): Snapshot => {
    const loaded = load(definitionOf(nodes, { name, ansibleServer: 'local' }), `${name}.yml`);
    if (!loaded.ok) throw new Error('the definition has faults');
    const { cluster } = loaded.value;
    return snapshotOf(cluster, pack(cluster, render(cluster, templates)), 'bench');
  };
  const applied = Array.from({ length: clusters }, (_, index): readonly [string, Applied] => {
    const name = `edge-${index}`;
    return [name, whole(snapshot(5, name))];
  });
  const work = timed(() => {
    for (const [name, before] of applied) {
      const { steps } = planOf({ applied: before, wanted: snapshot(6, name) });
      if (steps.length === 0) throw new Error(`the plan of ${name} lacks its new worker`);
    }
    return Promise.resolve();
  });
  const times = await interleaved({ work }, repetitions);
  return [
    atMost(`plan of ${clusters} clusters of 5 nodes and a new one`, times.work, { unit: 's', goal: 10 }),
  ];
}
