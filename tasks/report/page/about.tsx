import type { LabelledValue, Report } from '../../../generators/report/report.ts';
import type { JSX } from './dom.ts';
import { time } from './format.ts';
import { Section } from './section.tsx';

/** Versions, commit, digest, who and how: what a reader needs to find all this again. */
export const About = ({ report: { run, versions, written } }: { readonly report: Report }): JSX.Element => (
  <Section id="about" title="About">
    <div class="columns">
      {run ? <Pairs title="This run" pairs={run.facts} /> : null}
      <Pairs title="Versions" pairs={[...versions, { label: 'Report written', value: time(written) }]} />
    </div>
    {run && run.words.length > 0 ? (
      <details class="print">
        <summary>What tasks said ({run.words.length})</summary>
        <Pairs title="" pairs={run.words} />
      </details>
    ) : null}
    {run && run.warnings.length > 0 ? (
      <details class="print">
        <summary>Warnings of Ansible ({run.warnings.length})</summary>
        <ul>
          {run.warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      </details>
    ) : null}
    {run && run.leftOut.length > 0 ? (
      <>
        <h3>Left out</h3>
        <ul>
          {run.leftOut.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <p>All of it: npx task logs {run.id}</p>
      </>
    ) : null}
  </Section>
);

const Pairs = ({
  title,
  pairs,
}: {
  readonly title: string;
  readonly pairs: readonly LabelledValue[];
}): JSX.Element => (
  <div>
    {title === '' ? null : <h3>{title}</h3>}
    <dl class="pairs">
      {pairs.map(({ label, value }, index) => (
        <div key={`${label} ${index}`}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  </div>
);
