import { containerdFor, recommendedContainerd } from '../../../generators/catalog/kubernetes/containerd.ts';
import { isOver, minors, readOn, type Minor } from '../../../generators/catalog/kubernetes/minors.ts';
import { ok } from '../../../generators/result.ts';
import { columns } from '../../runtime/columns.ts';
import { task } from '../../task.ts';

export const versions = task({
  name: 'versions',
  positionals: '',
  example: 'versions',
  options: {},
  run: (_, world) => {
    const today = new Date().toISOString().slice(0, 10);
    const latestFirst = minors.toReversed();
    if (world.json) for (const minor of latestFirst) world.print(JSON.stringify(recordOf(minor, today)));
    else
      world.print(`${columns([heads, ...latestFirst.map((minor) => rowOf(minor, today))])}\n\n${footnote}`);
    return Promise.resolve(ok(undefined));
  },
});

const heads = ['Kubernetes', 'newest', 'support ends', 'etcd', 'CoreDNS', 'containerd, from', 'run here'];

const footnote = `As known on ${readOn}. "containerd, from": the oldest release of each line that its project tested.`;

function rowOf(minor: Minor, today: string): readonly string[] {
  return [
    `1.${minor.minor}`,
    minor.newest,
    isOver(minor, today) ? `${minor.endOfLife} (over)` : minor.endOfLife,
    minor.etcd,
    minor.coredns,
    containerdFor(minor.minor).atLeast.join(', '),
    minor.run.length > 0 ? minor.run.join('; ') : 'nothing',
  ];
}

/** One line of JSON a minor version, with all that the table has. */
const recordOf = (minor: Minor, today: string): object => ({
  ...minor,
  minor: `1.${minor.minor}`,
  supported: !isOver(minor, today),
  containerd: {
    atLeast: containerdFor(minor.minor).atLeast,
    recommended: recommendedContainerd(minor.minor),
  },
  readOn,
});
