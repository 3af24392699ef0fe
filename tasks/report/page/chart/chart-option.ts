import type { RunReport } from '../../../../generators/report/report.ts';
import type {
  CustomSeriesRenderItemAPI,
  CustomSeriesRenderItemParams,
  CustomSeriesRenderItemReturn,
} from './echarts.ts';
import { clock } from '../format.ts';
import { describe, hostRows, isPlay, kinds, taskRows } from '../rows.ts';
import { colour } from './theme.ts';

export const rowHeight = 22;

/** How many rows are seen at once; the others are scrolled to. */
export const rowsSeen = 26;

/** What the library is told to draw. */
export function chartOption(run: RunReport, view: 'hosts' | 'tasks'): Readonly<Record<string, unknown>> {
  const { names, bars } = view === 'hosts' ? hostRows(run) : taskRows(run);
  const colours = kinds.map((kind) => colour(kind));
  const scrolls = names.length > rowsSeen;
  const text = colour('soft');
  return {
    animation: false,
    grid: { left: view === 'hosts' ? 110 : 250, right: scrolls ? 36 : 16, top: 8, bottom: 62 },
    xAxis: {
      ...{ type: 'value', min: 0, max: Math.max(1000, run.seconds * 1000, ...run.plays.map(({ to }) => to)) },
      axisLabel: { color: text, formatter: clock },
      splitLine: { lineStyle: { color: colour('line') } },
    },
    yAxis: {
      ...{ type: 'category', inverse: true, data: names, axisTick: { show: false } },
      axisLabel: {
        color: text,
        width: view === 'hosts' ? 95 : 235,
        overflow: 'truncate',
        interval: 0,
        fontSize: 12,
      },
      axisLine: { lineStyle: { color: colour('line') } },
    },
    dataZoom: zooms(scrolls, names.length),
    tooltip: {
      ...{ confine: true, backgroundColor: colour('card'), borderColor: colour('line') },
      ...{ textStyle: { color: colour('ink'), fontSize: 13 }, renderMode: 'html' },
      formatter: ({ dataIndex }: { readonly dataIndex: number }) => lines(describe(run, view, dataIndex)),
    },
    series: [
      {
        ...{ type: 'custom', encode: { x: [1, 2], y: 0 }, data: bars, clip: true, progressive: 4000 },
        renderItem: (params: CustomSeriesRenderItemParams, api: CustomSeriesRenderItemAPI) =>
          bar(api, {
            colours,
            name: (place) => run.plays[place]?.name ?? '',
            place: params.dataIndex,
            ink: colour('ink'),
          }),
      },
    ],
  };
}

const zooms = (scrolls: boolean, rows: number): readonly object[] => [
  {
    id: 'x',
    type: 'inside',
    xAxisIndex: 0,
    filterMode: 'weakFilter',
    zoomOnMouseWheel: 'ctrl',
    moveOnMouseWheel: false,
  },
  {
    ...{
      id: 'xs',
      type: 'slider',
      xAxisIndex: 0,
      filterMode: 'weakFilter',
      height: 18,
      bottom: 8,
      showDataShadow: false,
    },
    ...{ labelFormatter: clock, textStyle: { color: colour('soft') }, borderColor: colour('line') },
  },
  ...(scrolls
    ? [
        {
          ...{
            id: 'ys',
            type: 'slider',
            yAxisIndex: 0,
            filterMode: 'weakFilter',
            width: 14,
            right: 6,
            showDetail: false,
          },
          ...{ startValue: 0, endValue: Math.min(rows, rowsSeen) - 1, zoomLock: true, brushSelect: false },
          ...{ borderColor: colour('line'), showDataShadow: false },
        },
      ]
    : []),
];

function bar(
  api: CustomSeriesRenderItemAPI,
  {
    colours,
    name,
    place,
    ink,
  }: {
    readonly colours: readonly string[];
    readonly name: (place: number) => string;
    readonly place: number;
    readonly ink: string;
  },
): CustomSeriesRenderItemReturn {
  const [row, from, to, kind] = [0, 1, 2, 3].map((index) => Number(api.value(index))) as [
    number,
    number,
    number,
    number,
  ];
  const [left = 0, middle = 0] = api.coord([from, row]);
  const [right = 0] = api.coord([to, row]);
  const [, cell = rowHeight] = (api.size?.([0, 1]) ?? []) as number[];
  const height = Math.max(2, Math.min(16, cell * 0.72));
  const width = Math.max(right - left, 1);
  const rectangle = {
    type: 'rect' as const,
    shape: { x: left, y: middle - height / 2, width, height, r: width > 6 ? 2 : 0 },
    style: { fill: colours[kind] ?? '' },
  };
  if (!isPlay(kind) || width < 40) return rectangle;
  const label = { text: name(place), x: left + 4, y: middle, verticalAlign: 'middle' as const };
  return {
    type: 'group',
    children: [
      rectangle,
      {
        type: 'text',
        silent: true,
        style: { ...label, fill: ink, fontSize: 11, width: width - 8, overflow: 'truncate' },
      },
    ],
  };
}

/** The library shows HTML here: every text of a host is made plain. */
const lines = (all: readonly string[]): HTMLElement => {
  const box = document.createElement('div');
  for (const [index, text] of all.entries()) {
    const line = document.createElement(index === 0 ? 'strong' : 'div');
    line.textContent = text;
    line.style.display = 'block';
    box.append(line);
  }
  return box;
};
