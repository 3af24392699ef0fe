import { readTemplates } from '../../library/texts.ts';
import { bundleOf } from './bundle.ts';
import { definitionOf } from './definition.ts';
import { atMost, inWords, seen, type Figure } from './figure.ts';
import { interleaved, timed, type Work } from './interleaved.ts';
import { counted, type Bench } from './options.ts';

/** Definition text → bundle in memory, of ten to ten thousand nodes. */
export async function render(
  bench: Pick<Bench, 'repetitions' | 'say' | 'share'>,
): Promise<readonly Figure[]> {
  const [hundred, thousand, tenThousand] = [100, 1000, 10_000].map((count) => counted(count, bench)) as [
    number,
    number,
    number,
  ];
  bench.say(`render: 10, ${hundred}, ${thousand} and ${tenThousand} nodes`);
  const templates = readTemplates();
  const work = (nodes: number): Work => {
    const text = definitionOf(nodes);
    return timed(() => Promise.resolve(bundleOf(text, templates)));
  };
  const times = await interleaved(
    { ten: work(10), hundred: work(hundred), thousand: work(thousand), tenThousand: work(tenThousand) },
    bench.repetitions,
  );
  const aNode = times.tenThousand / tenThousand / (times.thousand / thousand);
  return [
    seen('render of 10 nodes', times.ten, 's'),
    seen(`render of ${inWords(hundred)} nodes`, times.hundred, 's'),
    atMost(`render of ${inWords(thousand)} nodes`, times.thousand, { unit: 's', goal: 1 }),
    seen(`render of ${inWords(tenThousand)} nodes`, times.tenThousand, 's'),
    // Linear is 1; the rest is for the garbage collector, which has ten times as much to keep.
    atMost(`render, time a node, ${inWords(tenThousand)} : ${inWords(thousand)} nodes`, aNode, {
      unit: 'ratio',
      goal: 1.1,
    }),
  ];
}
