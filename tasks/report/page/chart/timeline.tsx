import type { RunReport, TaskLine } from '../../../../generators/report/report.ts';
import { useState, type JSX } from '../dom.ts';
import { clock, duration } from '../format.ts';
import { Heads, Section, Table } from '../section.tsx';
import { Counts } from '../status.tsx';
import { Chart } from './chart.tsx';
import type { RowKind } from '../rows.ts';

/** The run over time: a picture to zoom into, and the same in words: what was slow, and what waited for what. */
export function Timeline({ run }: { readonly run: RunReport }): JSX.Element {
  const [view, setView] = useState<RowKind>('hosts');
  return (
    <Section
      id="timeline"
      title="Timeline"
      lead="Each bar is a task on a host. Drag to move, Ctrl and the wheel to zoom, or use the buttons; the tables below say the same in words."
    >
      <fieldset class="tools">
        <legend>Rows</legend>
        {(['hosts', 'tasks'] as const).map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="view"
              checked={view === each}
              onChange={() => {
                setView(each);
              }}
            />{' '}
            {each}
          </label>
        ))}
      </fieldset>
      {run.tasks.length === 0 ? <p>No task has begun yet.</p> : <Chart run={run} view={view} />}
      <Legend />
      {run.tasks.length === 0 ? null : (
        <div class="columns">
          <Slowest run={run} />
          <Waiting run={run} />
        </div>
      )}
    </Section>
  );
}

const Legend = (): JSX.Element => (
  <p class="legend">
    {['ok', 'changed', 'failed', 'unreachable', 'ignored', 'skipped'].map((status) => (
      <span key={status}>
        <i class={`swatch ${status}`} aria-hidden="true" /> {status}
      </span>
    ))}
  </p>
);

const Slowest = ({ run: { tasks, hosts } }: { readonly run: RunReport }): JSX.Element => (
  <div>
    <h3>Slowest tasks</h3>
    <Table label="Slowest tasks" head={<Heads names={['Task', 'At', 'Took', 'Last host', 'Hosts']} />}>
      {tasks
        .toSorted((a, b) => lengthOf(b) - lengthOf(a))
        .slice(0, 15)
        .map((task) => (
          <tr key={`${task.from} ${task.name}`}>
            <th scope="row">{task.name}</th>
            <td class="number">{clock(task.from)}</td>
            <td class="number">{duration(lengthOf(task))}</td>
            <td>{hosts[task.last]?.name ?? ''}</td>
            <td>
              <Counts counts={task.counts} />
            </td>
          </tr>
        ))}
    </Table>
  </div>
);

/** Ansible begins a task when the last host ended the one before: all others wait for that one. */
const Waiting = ({ run: { tasks, hosts } }: { readonly run: RunReport }): JSX.Element => {
  const waits = tasks
    .filter(({ waited }) => waited >= 100)
    .toSorted((a, b) => b.waited - a.waited)
    .slice(0, 15);
  return (
    <div>
      <h3>What waited for what</h3>
      {waits.length === 0 ? (
        <p>No host waited for another.</p>
      ) : (
        <Table
          label="What waited for what"
          head={<Heads names={['Hosts waited for', 'in', 'Which took', 'Sum']} />}
        >
          {waits.map((task) => (
            <tr key={`${task.from} ${task.name}`}>
              <th scope="row">{hosts[task.last]?.name ?? ''}</th>
              <td>{task.name}</td>
              <td class="number">{duration(task.longest)}</td>
              <td class="number">{duration(task.waited)}</td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  );
};

const lengthOf = ({ from, to }: TaskLine): number => to - from;
