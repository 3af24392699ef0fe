import type { Box, Topology } from '../../../../generators/topology/picture.ts';

/** A box with its place in the picture; all in units of the picture. */
export interface BoxPlace {
  readonly box: Box;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Flows from the box to itself, as one line, or empty. */
  readonly within: string;
  readonly tiles: Tiles | undefined;
}

/** Many hosts as small squares. */
export interface Tiles {
  readonly size: number;
  readonly across: number;
}

export interface FlowLine {
  readonly path: string;
  /** One a line. */
  readonly ports: readonly string[];
  readonly x: number;
  readonly y: number;
}

export interface TopologyLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly BoxPlace[];
  readonly lines: readonly FlowLine[];
}

export const boxWidth = 228;
export const headHeight = 52;
export const hostHeight = 38;
const gap = 112;
const between = 26;
const margin = 44;

/** Columns from left to right, boxes of a column one below the other around the middle. */
export function layout({ boxes, flows }: Topology): TopologyLayout {
  const columns = [...new Set(boxes.map(({ column }) => column))].sort((a, b) => a - b);
  const heights = new Map(boxes.map((box) => [box, heightOf(box, flows)]));
  const tallest = Math.max(...columns.map((column) => stack(boxes, column, heights)));
  const placed = columns.flatMap((column, index) => {
    let y = margin + (tallest - stack(boxes, column, heights)) / 2;
    return boxes
      .filter((box) => box.column === column)
      .map((box) => {
        const height = heights.get(box) ?? 0;
        const at = { box, x: index * (boxWidth + gap) + 1, y, width: boxWidth, height };
        y += height + between;
        return { ...at, within: withinOf(box, flows), tiles: tilesOf(box) };
      });
  });
  const width = columns.length * (boxWidth + gap) - gap + 2;
  return {
    width,
    height: tallest + margin * 2,
    boxes: placed,
    lines: linesOf(placed, flows, tallest + margin),
  };
}

const stack = (boxes: readonly Box[], column: number, heights: ReadonlyMap<Box, number>): number =>
  boxes
    .filter((box) => box.column === column)
    .reduce((sum, box) => sum + (heights.get(box) ?? 0) + between, -between);

function heightOf(box: Box, flows: Topology['flows']): number {
  const tiles = tilesOf(box);
  const hosts =
    tiles === undefined
      ? box.hosts.length * hostHeight
      : Math.ceil(box.hosts.length / tiles.across) * tiles.size + 8;
  return headHeight + hosts + (withinOf(box, flows) === '' ? 0 : 24) + (box.hosts.length > 0 ? 8 : 0);
}

const tilesOf = ({ hosts }: Box): Tiles | undefined =>
  hosts.length <= 8 ? undefined : hosts.length <= 100 ? { size: 18, across: 11 } : { size: 9, across: 23 };

const withinOf = ({ id }: Box, flows: Topology['flows']): string =>
  few(flows.filter(({ from, to }) => from === id && to === id).map(({ port }) => port)).join(', ');

const few = (ports: readonly string[]): readonly string[] => {
  const all = [...new Set(ports)];
  return all.length <= 3 ? all : [...all.slice(0, 2), `${all.length - 2} more`];
};

/** One line for all flows between two boxes. Ansible's own are told, not drawn: they lead to every host. */
function linesOf(placed: readonly BoxPlace[], flows: Topology['flows'], floor: number): readonly FlowLine[] {
  const pairs = new Map<
    string,
    { readonly from: BoxPlace; readonly to: BoxPlace; readonly ports: string[] }
  >();
  for (const { from, to, port } of flows) {
    const [a, b] = [from, to].map((id) => placed.find(({ box }) => box.id === id));
    if (a === undefined || b === undefined || a === b || from === 'ansible-server') continue;
    const key = `${from} ${to}`;
    const known = pairs.get(key) ?? { from: a, to: b, ports: [] };
    known.ports.push(port);
    pairs.set(key, known);
  }
  let [above, below] = [0, 0];
  return [...pairs.values()].map(({ from, to, ports }) => {
    const label = few(ports);
    const step = Math.round((to.x - from.x) / (boxWidth + gap));
    if (step === 1) return straight(from, to, label);
    return step < 1
      ? over(from, to, label, (above += 1))
      : under(from, to, { label, floor, turn: (below += 1) });
  });
}

function straight(from: BoxPlace, to: BoxPlace, label: readonly string[]): FlowLine {
  const [x1, y1] = [from.x + from.width, from.y + from.height / 2];
  const [x2, y2] = [to.x - 7, to.y + to.height / 2];
  const half = (x1 + x2) / 2;
  return {
    path: `M${x1} ${y1} C${half} ${y1} ${half} ${y2} ${x2} ${y2}`,
    ports: label,
    x: half,
    y: (y1 + y2) / 2,
  };
}

function over(from: BoxPlace, to: BoxPlace, label: readonly string[], turn: number): FlowLine {
  const [x1, y1, x2, y2] = [from.x + from.width / 2, from.y, to.x + to.width / 2 + turn * 12, to.y - 7];
  const top = 18;
  return {
    path: `M${x1} ${y1} C${x1} ${top} ${x1} ${top} ${x1 - 40} ${top} L${x2 + 40} ${top} C${x2} ${top} ${x2} ${top} ${x2} ${y2}`,
    ports: label,
    x: (x1 + x2) / 2,
    y: top,
  };
}

function under(
  from: BoxPlace,
  to: BoxPlace,
  {
    label,
    floor,
    turn,
  }: { readonly label: readonly string[]; readonly floor: number; readonly turn: number },
): FlowLine {
  const [x1, y1] = [from.x + from.width / 2 + turn * 12, from.y + from.height];
  const [x2, y2, low] = [to.x + to.width / 2 - turn * 12, to.y + to.height + 7, floor + 8 + turn * 10];
  return {
    path: `M${x1} ${y1} C${x1} ${low} ${x1} ${low} ${x1 + 40} ${low} L${x2 - 40} ${low} C${x2} ${low} ${x2} ${low} ${x2} ${y2}`,
    ports: label,
    x: (x1 + x2) / 2,
    y: low,
  };
}
