/** One measured figure; `goal` reads like `<= 1.3`, and `met` is undefined where there is none. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly goal: string;
  readonly met: boolean | undefined;
}

export const atMost = (
  name: string,
  value: number,
  limit: { readonly unit: string; readonly goal: number },
): Figure => ({
  name,
  value,
  unit: limit.unit,
  goal: `<= ${limit.goal}`,
  met: value <= limit.goal,
});

export const seen = (name: string, value: number, unit: string): Figure => ({
  name,
  value,
  unit,
  goal: '',
  met: undefined,
});

/** `10,000`. */
export const inWords = (count: number): string => count.toLocaleString('en');

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
};

export async function seconds(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return (performance.now() - before) / 1000;
}

export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, value, unit, goal, met }) => [
    name,
    Number.isInteger(value) ? String(value) : value.toFixed(2),
    unit,
    goal,
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ]);
  const all = [['figure', 'value', 'unit', 'goal', ''], ...rows];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all
    .map((row) =>
      row
        .map((cell, column) =>
          column === 1 ? cell.padStart(widths[1] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
