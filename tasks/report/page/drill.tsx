import type { DrillReport } from '../../../generators/report/report.ts';
import type { JSX } from './dom.ts';
import { duration } from './format.ts';
import { Heads, Section, Table } from './section.tsx';

/** What clients felt of each fault of a drill, beside the last drill of that name. */
export const Drill = ({ drill: { now, before } }: { readonly drill: DrillReport }): JSX.Element => (
  <Section
    id="drill"
    title="Drill"
    lead={
      now.rounds.length === 0
        ? `${now.name}: nothing was disturbed.`
        : `${now.name}: asked from outside every 50 ms. ${now.limit === 0 ? 'The definition gives no limit.' : `At most ${now.limit} s may be without an answer.`}`
    }
  >
    {now.findings.length === 0 ? null : (
      <ul>
        {now.findings.map(({ host, text }) => (
          <li key={host}>
            <strong>{host}</strong>: {text}
          </li>
        ))}
      </ul>
    )}
    {now.rounds.length === 0 ? null : <Rounds drill={{ now, ...(before ? { before } : {}) }} />}
  </Section>
);

const Rounds = ({ drill: { now, before } }: { readonly drill: DrillReport }): JSX.Element => (
  <Table
    label="Faults"
    head={
      <Heads
        names={[
          'Fault',
          'Without an answer',
          'Last time',
          'Asks without',
          'Lasted',
          'Taken back by',
          'Whole after',
        ]}
      />
    }
  >
    {now.rounds.map((round) => (
      <tr key={round.fault}>
        <th scope="row">
          {round.what}
          <small>
            on {round.host}, asked from {round.witness}
          </small>
        </th>
        <td>
          <span class={now.limit > 0 && round.longest > now.limit ? 'status failed' : ''}>
            {duration(round.longest * 1000)}
            {now.limit > 0 && round.longest > now.limit ? ' ! over the limit' : ''}
          </span>
        </td>
        <td>{lastTime(before?.rounds.find(({ fault }) => fault === round.fault)?.longest)}</td>
        <td class="number">
          {round.failed} of {round.asked}
        </td>
        <td>{duration(round.held * 1000)}</td>
        <td>{round.by === 'host' ? 'the host by itself' : 'the run'}</td>
        <td>{duration(round.recovered * 1000)}</td>
      </tr>
    ))}
  </Table>
);

const lastTime = (seconds: number | undefined): string =>
  seconds === undefined ? 'none' : duration(seconds * 1000);
