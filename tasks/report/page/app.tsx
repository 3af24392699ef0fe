import type { Report } from '../../../generators/report/report.ts';
import { About } from './about.tsx';
import { Changes } from './changes.tsx';
import { useEffect, type JSX } from './dom.ts';
import { Drill } from './drill.tsx';
import { Failures } from './failures.tsx';
import { Fleet } from './fleet.tsx';
import { Head } from './head.tsx';
import { History } from './history.tsx';
import { Hosts } from './hosts.tsx';
import { Drift, Plan } from './plan.tsx';
import { Timeline } from './chart/timeline.tsx';
import { Topology } from './topology/topology.tsx';

/** The whole page: what went wrong first, then the picture, then the details. */
export function App({
  report,
  connection,
}: {
  readonly report: Report;
  readonly connection: string;
}): JSX.Element {
  useOpenOnPaper();
  const { run, topology } = report;
  const parts = partsOf(report);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Head report={report} connection={connection} parts={parts} />
      <main id="main" tabIndex={-1}>
        {run && run.failures.length > 0 ? <Failures run={run} /> : null}
        {report.drill ? <Drill drill={report.drill} /> : null}
        {topology ? <Topology topology={topology} run={run} fleet={report.fleet} /> : null}
        {report.fleet ? <Fleet clusters={report.fleet} /> : null}
        {run ? <Timeline run={run} /> : null}
        {run ? <Changes run={run} /> : null}
        {run ? <Hosts run={run} /> : null}
        {report.plan ? <Plan plan={report.plan} /> : null}
        {report.drift ? <Drift drift={report.drift} run={run} /> : null}
        {report.history.length > 0 ? <History runs={report.history} shown={run?.id ?? ''} /> : null}
        <About report={report} />
      </main>
      <footer>
        Written by Playsmith. Drawn with Apache ECharts (Apache-2.0) and Preact (MIT). This page loads
        nothing.
      </footer>
    </>
  );
}

const partsOf = ({
  run,
  drill,
  topology,
  fleet,
  plan,
  drift,
  history,
}: Report): readonly (readonly [string, string])[] =>
  (
    [
      ['failures', 'Failures', (run?.failures.length ?? 0) > 0],
      ['drill', 'Drill', drill],
      ['topology', 'Topology', topology],
      ['clusters', 'Clusters', fleet],
      ['timeline', 'Timeline', run],
      ['changes', 'Changes', run],
      ['hosts', 'Hosts', run],
      ['plan', 'Plan', plan],
      ['drift', 'Drift', drift],
      ['history', 'History', history.length > 0],
      ['about', 'About', true],
    ] as const
  ).flatMap(([id, title, isThere]) => (isThere ? [[id, title] as const] : []));

/** Nobody can open a fold on paper. */
function useOpenOnPaper(): void {
  useEffect(() => {
    const open = (): void => {
      for (const fold of document.querySelectorAll<HTMLDetailsElement>('details.print')) fold.open = true;
    };
    addEventListener('beforeprint', open);
    return () => {
      removeEventListener('beforeprint', open);
    };
  }, []);
}
