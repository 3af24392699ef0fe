import type { HistoryLine } from '../../../generators/report/report.ts';
import type { JSX } from './dom.ts';
import { duration, time } from './format.ts';
import { Heads, Section, Table } from './section.tsx';
import { Status } from './status.tsx';

/** Runs of the cluster whose records lie beside the page, the latest first. */
export function History({
  runs,
  shown,
}: {
  readonly runs: readonly HistoryLine[];
  readonly shown: string;
}): JSX.Element {
  const longest = Math.max(1, ...runs.map(({ seconds }) => seconds));
  return (
    <Section id="history" title="History" lead={`The last ${runs.length} runs that are recorded here.`}>
      <Table
        label="Runs"
        head={<Heads names={['Run', 'Playbook', 'Ended', 'Hosts', 'Changes', 'Duration', 'Who']} />}
      >
        {runs.map((run) => (
          <tr key={run.run} class={run.run === shown ? 'shown' : ''}>
            <th scope="row">
              {time(run.started)}
              <small>{run.run}</small>
            </th>
            <td>
              {run.playbook}
              {run.check ? ' (check)' : ''}
            </td>
            <td>
              <Status of={run.status} />
            </td>
            <td class="number">{run.hosts}</td>
            <td class="number">{run.changed}</td>
            <td>
              <span
                class="amount"
                style={{ width: `${(run.seconds / longest) * 6}rem` }}
                aria-hidden="true"
              />
              {duration(run.seconds * 1000)}
            </td>
            <td>{run.operator}</td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}
