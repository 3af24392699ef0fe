import type { Report, RunReport } from '../../../generators/report/report.ts';
import type { ComponentChildren, JSX } from './dom.ts';
import { countsOf } from './fleet.tsx';
import { duration, several, time } from './format.ts';
import { Status } from './status.tsx';
import { useTheme } from './chart/theme.ts';

/** What a reader sees first: which run of what, how it ended, and the few figures that matter. */
export function Head({
  report,
  connection,
  parts,
}: {
  readonly report: Report;
  readonly connection: string;
  readonly parts: readonly (readonly [id: string, title: string])[];
}): JSX.Element {
  const { run, cluster, fleet, notes } = report;
  return (
    <>
      <header>
        <div class="masthead">
          <div>
            <p class="kicker">{run ? `Run ${run.id}` : fleet ? 'Fleet' : 'Cluster'}</p>
            <h1>
              {cluster}
              {run ? <span class="playbook"> {run.playbook}</span> : null}
            </h1>
            <Verdict report={report} connection={connection} />
          </div>
          <Buttons />
        </div>
        {run ? <Figures run={run} /> : null}
        {notes.map((note) => (
          <p class="note" key={note}>
            {note}
          </p>
        ))}
      </header>
      <nav aria-label="Parts of this page">
        {parts.map(([id, title]) => (
          <a key={id} href={`#${id}`}>
            {title}
          </a>
        ))}
      </nav>
    </>
  );
}

const Verdict = ({
  report: { run, fleet, written },
  connection,
}: {
  readonly report: Report;
  readonly connection: string;
}): JSX.Element => (
  <p class="verdict">
    {run ? <Status of={run.status} /> : null}{' '}
    <span>
      {run
        ? verdict(run)
        : `${fleet ? `${several(fleet.length, 'cluster')}: ${countsOf(fleet)}; ` : ''}as of ${time(written)}`}
    </span>
    {connection === '' ? null : (
      <span class="connection" role="status">
        {connection}
      </span>
    )}
  </p>
);

function verdict({ status, check, started, hosts, failures, total, tasks }: RunReport): string {
  const mode = check ? ' in check mode, which changes nothing' : '';
  const bad = new Set(failures.flatMap((failure) => failure.hosts)).size;
  if (status === 'running') {
    const done = tasks.filter(({ handler }) => !handler).length;
    return `task ${done} of ${Math.max(total, done)} on ${several(hosts.length, 'host')}${mode}, since ${time(started)}`;
  }
  return `${bad > 0 ? `${bad} of ` : ''}${several(hosts.length, 'host')}${bad > 0 ? ' with failures' : ''}${mode}, started ${time(started)}`;
}

function Figures({ run }: { readonly run: RunReport }): JSX.Element {
  const changed = run.hosts.filter((host) => host.changed > 0).length;
  const bad = run.hosts.filter((host) => host.failed + host.unreachable > 0).length;
  const told = run.tasks.reduce((sum, { of }) => sum + of, 0);
  const waited = run.tasks.reduce((sum, task) => sum + task.waited, 0);
  return (
    <dl class="figures">
      <Figure name="Duration" value={duration(run.seconds * 1000)} note={several(run.plays.length, 'play')} />
      <Figure
        name="Hosts"
        value={String(run.hosts.length)}
        note={bad > 0 ? `${bad} failed` : 'none failed'}
        kind={bad > 0 ? 'failed' : 'ok'}
      />
      <Figure
        name={run.check ? 'Would change' : 'Changed'}
        value={String(changed)}
        note={changed === 1 ? 'host' : 'hosts'}
        kind={changed > 0 ? 'changed' : 'ok'}
      />
      <Figure
        name="Tasks"
        value={told.toLocaleString('en')}
        note={several(
          run.tasks.reduce((sum, { counts }) => sum + (counts['changed'] ?? 0), 0),
          'change',
        )}
      />
      <Figure name="Waiting" value={duration(waited)} note="of hosts for slower hosts" />
    </dl>
  );
}

const Figure = ({
  name,
  value,
  note,
  kind = '',
}: {
  readonly name: string;
  readonly value: string;
  readonly note: ComponentChildren;
  readonly kind?: string;
}): JSX.Element => (
  <div class={`figure ${kind}`}>
    <dt>{name}</dt>
    <dd>
      <strong>{value}</strong>
      <small>{note}</small>
    </dd>
  </div>
);

function Buttons(): JSX.Element {
  const [theme, next] = useTheme();
  return (
    <div class="buttons">
      <button type="button" onClick={next}>
        Colours: {theme}
      </button>
      <button
        type="button"
        onClick={() => {
          print();
        }}
      >
        Print
      </button>
    </div>
  );
}
