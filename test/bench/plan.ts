import { pack } from '../../generators/bundle.ts';
import { load } from '../../generators/definition/load.ts';
import { planOf } from '../../generators/plan.ts';
import { appliedAfter, nothingApplied, type Applied } from '../../generators/plan/applied.ts';
import { effectOf } from '../../generators/plan/effect.ts';
import { snapshotOf, type Snapshot } from '../../generators/plan/snapshot.ts';
import { render } from '../../generators/render.ts';
import { readTemplates } from '../../tasks/steps/load.ts';
import { definitionOf } from './definition.ts';
import { atMost, type Figure } from './figure.ts';
import { interleaved, timed } from './interleaved.ts';
import type { Bench } from './options.ts';

/** Definition text and what is applied → plan, of a thousand nodes and one more. */
export async function plan({ repetitions, say }: Bench): Promise<readonly Figure[]> {
  say('plan: 1,000 nodes');
  const templates = await readTemplates();
  const snapshot = (nodes: number): Snapshot => {
    const loaded = load(definitionOf(nodes), 'cluster.yml');
    if (!loaded.ok) throw new Error('the definition has faults');
    const { cluster } = loaded.value;
    return snapshotOf(cluster, pack(cluster, render(cluster, templates)), 'bench');
  };
  const applied = whole(snapshot(1000));
  const work = timed(() => Promise.resolve(planOf({ applied, wanted: snapshot(1001) })));
  const times = await interleaved({ work }, repetitions);
  return [atMost('plan of 1,000 nodes and a new one', times.work, { unit: 's', goal: 2 })];
}

/** What is on the hosts after all of it was run. */
function whole(of: Snapshot): Applied {
  const none = { targets: [], brings: [], completes: '', check: false, limit: [], tagged: false };
  const effect = effectOf({ operation: 'instantiate', ...none }, of);
  if (effect === undefined) throw new Error('a whole run has an effect');
  const run = { run: '', operation: 'instantiate', targets: [], bundle: of.bundle, effect };
  return appliedAfter(nothingApplied, { ...run, status: 'successful', recap: {} }, of);
}
