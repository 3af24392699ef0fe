import type { DriftReport, PlanLine, PlanReport, RunReport } from '../../../generators/report/report.ts';
import type { JSX } from './dom.ts';
import { several, time } from './format.ts';
import { Section } from './section.tsx';

/** What was to be done, and what is left of it. */
export const Plan = ({ plan: { before, after } }: { readonly plan: PlanReport }): JSX.Element => (
  <Section id="plan" title="Plan" lead="The steps from what is applied to what the definition says.">
    <div class="columns">
      {before ? <Steps title="Before the run" steps={before} /> : null}
      {after ? <Steps title={before ? 'After the run' : 'Now'} steps={after} /> : null}
    </div>
  </Section>
);

const Steps = ({
  title,
  steps,
}: {
  readonly title: string;
  readonly steps: readonly PlanLine[];
}): JSX.Element => (
  <div>
    <h3>{title}</h3>
    {steps.length === 0 ? <p>Nothing to do.</p> : null}
    <ol class="steps">
      {steps.map(({ operation, targets, reasons, danger }) => (
        <li key={`${operation} ${targets.join(' ')}`}>
          <strong>{[operation, ...targets.slice(0, 8)].join(' ')}</strong>
          {targets.length > 8 ? ` and ${targets.length - 8} more` : ''}
          {danger === 'none' ? null : <span class="status failed"> ! {danger}</span>}
          <ul>
            {reasons.slice(0, 12).map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
            {reasons.length > 12 ? <li>and {reasons.length - 12} more reasons</li> : null}
          </ul>
        </li>
      ))}
    </ol>
  </div>
);

/** What the last look in check mode found. */
export const Drift = ({
  drift: { run: id, when, differences, unknown },
  run,
}: {
  readonly drift: DriftReport;
  readonly run: RunReport | undefined;
}): JSX.Element => (
  <Section id="drift" title="Drift" lead={`Hosts compared with the bundle on ${time(when)}, run ${id}.`}>
    <p>
      {differences === 0 && unknown === 0 ? 'Every host was as the bundle says.' : null}
      {differences > 0 ? `${several(differences, 'task')} would have changed a host. ` : ''}
      {unknown > 0 ? `${several(unknown, 'task')} could not be checked. ` : ''}
      {run?.id === id && differences > 0 ? 'They are the changes above.' : ''}
      {run?.id !== id && differences > 0 ? `See npx task report ${id}.` : ''}
    </p>
  </Section>
);
