import type { FailureLine, RunReport } from '../../../generators/report/report.ts';
import type { JSX } from './dom.ts';
import { clock, several } from './format.ts';
import { Section } from './section.tsx';
import { Status } from './status.tsx';

/** Failures in the order in which they happened, with the cause and what the program printed. */
export const Failures = ({ run }: { readonly run: RunReport }): JSX.Element => (
  <Section
    id="failures"
    title="Failures"
    lead={`${several(run.failures.length, 'failure')}, the first that happened first: later ones often follow from it.`}
  >
    {run.failures.map((failure, index) => (
      <Failure key={`${failure.at} ${failure.task} ${index}`} failure={failure} isFirst={index === 0} />
    ))}
  </Section>
);

const Failure = ({
  failure: { status, task, play, hosts, at, message, output },
  isFirst,
}: {
  readonly failure: FailureLine;
  readonly isFirst: boolean;
}): JSX.Element => (
  <article class="failure">
    <h3>
      <Status of={status} /> {task === '' ? 'no task' : task}
    </h3>
    <p class="where">
      on <HostList names={hosts} />, {clock(at)} after the start{play === '' ? '' : `, in “${play}”`}
    </p>
    <pre class="message" tabIndex={0} aria-label="Cause">
      {message === '' ? 'Ansible gives no reason.' : message}
    </pre>
    {output === '' || output === message ? null : (
      <details open={isFirst} class="print">
        <summary>Output</summary>
        <pre tabIndex={0} aria-label="Output">
          {output}
        </pre>
      </details>
    )}
  </article>
);

/** All names where they are few, else the first and a fold with the rest. */
export function HostList({ names }: { readonly names: readonly string[] }): JSX.Element {
  if (names.length <= namesShown) return <strong>{names.join(', ')}</strong>;
  return (
    <details class="names print">
      <summary>
        <strong>{names.slice(0, namesShown - 1).join(', ')}</strong> and {names.length - namesShown + 1} more
      </summary>
      {names.slice(namesShown - 1).join(', ')}
    </details>
  );
}

const namesShown = 8;
