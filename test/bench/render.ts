import { readTemplates } from '../../library/texts.ts';
import { bundleOf } from './bundle.ts';
import { definitionOf } from './definition.ts';
import { atMost, seen, type Figure } from './figure.ts';
import { interleaved, timed, type Work } from './interleaved.ts';
import type { Bench } from './options.ts';

/** Definition text → bundle in memory, of ten to ten thousand nodes. */
export async function render({ repetitions, say }: Bench): Promise<readonly Figure[]> {
  say('render: 10, 100, 1,000 and 10,000 nodes');
  const templates = readTemplates();
  const work = (nodes: number): Work => {
    const text = definitionOf(nodes);
    return timed(() => Promise.resolve(bundleOf(text, templates)));
  };
  const times = await interleaved(
    { ten: work(10), hundred: work(100), thousand: work(1000), tenThousand: work(10_000) },
    repetitions,
  );
  return [
    seen('render of 10 nodes', times.ten, 's'),
    seen('render of 100 nodes', times.hundred, 's'),
    atMost('render of 1,000 nodes', times.thousand, { unit: 's', goal: 1 }),
    seen('render of 10,000 nodes', times.tenThousand, 's'),
    // Linear is 1; the rest is for the garbage collector, which has ten times as much to keep.
    atMost('render, time a node, 10,000 : 1,000 nodes', times.tenThousand / times.thousand / 10, {
      unit: 'ratio',
      goal: 1.1,
    }),
  ];
}
