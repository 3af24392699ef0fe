import type { FleetLine } from '../../../generators/report/report.ts';
import { useState, type JSX } from './dom.ts';
import { duration, several, time } from './format.ts';
import { Heads, Section, Table, ShowAll } from './section.tsx';
import { Status } from './status.tsx';

/** Every cluster with its latest run; those that need somebody come first. */
export function Fleet({ clusters }: { readonly clusters: readonly FleetLine[] }): JSX.Element {
  const [wanted, setWanted] = useState('');
  const [limit, setLimit] = useState(50);
  const found = clusters
    .filter((each) => textOf(each).includes(wanted.trim()))
    .toSorted((a, b) => urgency(b) - urgency(a));
  return (
    <Section
      id="clusters"
      title="Clusters"
      lead="The latest run of each, as its execution node tells it; those that need somebody come first."
    >
      <p class="tools">
        <label>
          Find clusters, sites, nodes, labels{' '}
          <input
            type="search"
            value={wanted}
            onInput={({ currentTarget }) => {
              setWanted(currentTarget.value);
            }}
          />
        </label>
        <span role="status">{several(found.length, 'cluster')}</span>
      </p>
      <Table
        label="Table of clusters"
        head={
          <Heads
            names={['Cluster', 'Site', 'Node', 'Playbook', 'Ended', 'Began', 'Duration', 'Who', 'Lock']}
          />
        }
      >
        {found.slice(0, limit).map((each) => (
          <Row key={each.cluster} of={each} />
        ))}
      </Table>
      <ShowAll all={found.length} shown={limit} onShow={setLimit} />
    </Section>
  );
}

const Row = ({ of: each }: { readonly of: FleetLine }): JSX.Element => (
  <tr>
    <th scope="row">
      {each.cluster}
      <small>{each.labels.join(' ')}</small>
    </th>
    <td>{each.site}</td>
    <td>{each.node}</td>
    <td>
      {each.playbook}
      {each.check ? ' (check)' : ''}
    </td>
    <td>
      <Status of={each.status} />
      {each.problem === '' ? null : <small>{each.problem}</small>}
    </td>
    <td>
      {each.started === '' ? '' : time(each.started)}
      <small>{each.run}</small>
    </td>
    <td>{each.seconds === 0 ? '' : duration(each.seconds * 1000)}</td>
    <td>{each.operator}</td>
    <td>{each.lock}</td>
  </tr>
);

const textOf = ({ cluster, site, node, labels }: FleetLine): string =>
  [cluster, site, node, ...labels].join(' ');

/** What nobody can tell, then what failed, then what goes on, then the rest in the order of the definition. */
const urgency = ({ status }: FleetLine): number =>
  ({ 'not known': 4, lost: 3, failed: 3, error: 3, unreachable: 3, canceled: 2, running: 1 })[status] ?? 0;

/** Cluster → the colour of its square. */
export const fleetEndings = (clusters: readonly FleetLine[]): ReadonlyMap<string, string> =>
  new Map(clusters.map(({ cluster, status }) => [cluster, colours[status] ?? 'unknown']));

const colours: Readonly<Record<string, string>> = {
  successful: 'ok',
  failed: 'failed',
  error: 'failed',
  canceled: 'changed',
  running: 'changed',
  lost: 'unreachable',
  unreachable: 'unreachable',
  'not known': 'unreachable',
};

/** How many clusters are how, like `5 successful, 1 lost`. */
export function countsOf(clusters: readonly FleetLine[]): string {
  const counts = new Map<string, number>();
  for (const { status } of clusters) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} ${status}`).join(', ');
}
