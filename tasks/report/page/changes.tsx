import type { ChangeLine, RunReport } from '../../../generators/report/report.ts';
import { useMemo, useState, type JSX } from './dom.ts';
import { HostList } from './failures.tsx';
import { several } from './format.ts';
import { Section } from './section.tsx';

/** What changed, by host, with the difference that Ansible showed. */
export function Changes({ run }: { readonly run: RunReport }): JSX.Element {
  const [wanted, setWanted] = useState('');
  const hosts = run.hosts.map(({ name }) => name);
  const place = hosts.indexOf(wanted);
  const changes = useMemo(
    () => run.changes.filter((change) => place < 0 || change.hosts.includes(place)),
    [run.changes, place],
  );
  const changed = run.hosts.filter((host) => host.changed > 0).map(({ name }) => name);
  const lead = `${run.check ? 'What would have changed' : 'What changed'}: ${several(run.changes.length, 'task')} on ${several(changed.length, 'host')}.`;
  return (
    <Section
      id="changes"
      title="Changes"
      lead={run.changes.length === 0 ? 'Nothing changed on any host.' : lead}
    >
      {run.changes.length === 0 ? null : (
        <>
          <p class="tools">
            <HostChoice hosts={changed} wanted={wanted} onChoose={setWanted} />
            <span role="status">{several(changes.length, 'change')}</span>
          </p>
          {byPlay(changes).map(([play, mine]) => (
            <details key={play} class="phase" open={place >= 0 && changes.length <= 60}>
              <summary>
                {play === '' ? 'No play' : play}
                <small>{several(mine.length, 'change')}</small>
              </summary>
              <ul class="changes">
                {mine.map((change, index) => (
                  <Change key={index} change={change} names={hosts} diff={run.diffs[change.diff]} />
                ))}
              </ul>
            </details>
          ))}
        </>
      )}
    </Section>
  );
}

const HostChoice = ({
  hosts,
  wanted,
  onChoose,
}: {
  readonly hosts: readonly string[];
  readonly wanted: string;
  readonly onChoose: (host: string) => void;
}): JSX.Element => (
  <label>
    Of{' '}
    <select
      value={wanted}
      onChange={({ currentTarget }) => {
        onChoose(currentTarget.value);
      }}
    >
      <option value="">all hosts</option>
      {hosts.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  </label>
);

const byPlay = (changes: readonly ChangeLine[]): readonly (readonly [string, readonly ChangeLine[]])[] => {
  const plays = new Map<string, ChangeLine[]>();
  for (const change of changes) plays.set(change.play, [...(plays.get(change.play) ?? []), change]);
  return [...plays];
};

const Change = ({
  change: { task, hosts },
  names,
  diff,
}: {
  readonly change: ChangeLine;
  readonly names: readonly string[];
  readonly diff: string | undefined;
}): JSX.Element => (
  <li>
    <p>
      <span class="status changed" aria-hidden="true">
        ~
      </span>{' '}
      <strong>{task}</strong>
    </p>
    <div class="where">
      <HostList names={hosts.map((host) => names[host] ?? '')} />
    </div>
    {diff === undefined ? null : (
      <details class="print">
        <summary>Difference</summary>
        <Difference text={diff} />
      </details>
    )}
  </li>
);

/** Lines of a unified difference; their signs stay, so that colour is not all there is. */
const Difference = ({ text }: { readonly text: string }): JSX.Element => (
  <pre class="diff" tabIndex={0} aria-label="Difference">
    {text.split('\n').map((line, index) => (
      <span key={index} class={kindOf(line)}>
        {line}
        {'\n'}
      </span>
    ))}
  </pre>
);

const kindOf = (line: string): string =>
  /^(?:\+\+\+|---|@@)/.test(line)
    ? 'place'
    : line.startsWith('+')
      ? 'added'
      : line.startsWith('-')
        ? 'removed'
        : '';
