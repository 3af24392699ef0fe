import type { RunReport } from '../../../../generators/report/report.ts';
import { chartOption, rowHeight, rowsSeen } from './chart-option.ts';
import { useEffect, useRef, type JSX } from '../dom.ts';
import { init, type ECharts } from './echarts.ts';
import { duration } from '../format.ts';
import type { RowKind } from '../rows.ts';
import { useColours } from './theme.ts';

/** The picture itself, with buttons for those who have no wheel. */
export function Chart({ run, view }: { readonly run: RunReport; readonly view: RowKind }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<ECharts | null>(null);
  const colours = useColours();
  const rows = view === 'hosts' ? run.lanes.length + 1 : run.tasks.length;
  const height = Math.min(rows, rowsSeen) * rowHeight + 76;
  useEffect(() => begin(place.current, chart), []);
  useEffect(() => {
    // What was zoomed to stays when a run goes on, not when other rows are drawn.
    chart.current?.clear();
    chart.current?.resize();
    chart.current?.setOption(chartOption(run, view));
  }, [view, colours, height]);
  useEffect(() => {
    const { series, xAxis, yAxis } = chartOption(run, view);
    chart.current?.setOption({ series, xAxis, yAxis });
  }, [run]);
  const zoom = (how: Zoom) => (): void => {
    if (chart.current) move(chart.current, how);
  };
  return (
    <>
      <div class="tools" role="group" aria-label="Zoom of the timeline">
        {(['Zoom in', 'Zoom out', 'Earlier', 'Later', 'Whole run'] as const).map((how) => (
          <button key={how} type="button" onClick={zoom(how)}>
            {how}
          </button>
        ))}
      </div>
      <div ref={place} class="chart" style={{ height: `${height}px` }} role="img" aria-label={summary(run)} />
    </>
  );
}

const summary = ({ hosts, tasks, plays, seconds }: RunReport): string =>
  `Timeline of ${tasks.length} tasks in ${plays.length} plays on ${hosts.length} hosts over ${duration(seconds * 1000)}. The tables below tell the slowest tasks and what waited for what.`;

function begin(place: HTMLDivElement | null, chart: { current: ECharts | null }): (() => void) | undefined {
  if (place === null) return undefined;
  const mine = init(place);
  chart.current = mine;
  const watching = new ResizeObserver(() => {
    mine.resize();
  });
  watching.observe(place);
  const paper = (): void => {
    document.dispatchEvent(new Event('playsmith-theme'));
  };
  addEventListener('beforeprint', paper);
  addEventListener('afterprint', paper);
  return () => {
    watching.disconnect();
    removeEventListener('beforeprint', paper);
    removeEventListener('afterprint', paper);
    mine.dispose();
  };
}

type Zoom = 'Zoom in' | 'Zoom out' | 'Earlier' | 'Later' | 'Whole run';

/** Percent of the whole run, a quarter of what is seen at a time. */
function move(chart: ECharts, how: Zoom): void {
  const [seen] = (chart.getOption()['dataZoom'] ?? []) as readonly {
    readonly start: number;
    readonly end: number;
  }[];
  const { start, end } = seen ?? { start: 0, end: 100 };
  const quarter = (end - start) / 4;
  const wanted: Readonly<Record<Zoom, readonly [number, number]>> = {
    'Zoom in': [start + quarter, end - quarter],
    'Zoom out': [start - quarter * 2, end + quarter * 2],
    Earlier: [start - quarter, end - quarter],
    Later: [start + quarter, end + quarter],
    'Whole run': [0, 100],
  };
  const [from, to] = within(...wanted[how]);
  chart.dispatchAction({ type: 'dataZoom', dataZoomIndex: 0, start: from, end: to });
}

function within(from: number, to: number): readonly [number, number] {
  const width = Math.min(100, to - from);
  const start = Math.min(Math.max(0, from), 100 - width);
  return [start, start + width];
}
