import type { Problem } from '../problem.ts';

/** A file that somebody hands in: what it is called, and what stands in it. */
export interface Text {
  readonly file: string;
  readonly text: string;
}

/** Where something stands in a text. Lines and columns start at 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** A value of somebody else's file, with its place: JSON, YAML and INI alike. */
export type Node = Scalar | List | Mapping;

export interface Scalar {
  readonly kind: 'scalar';
  readonly text: string;
  /** Whether it can only be a text; `null` and `true` without quotes are something else. */
  readonly isQuoted: boolean;
  /** Like `!vault`, else empty. */
  readonly tag: string;
  readonly place: Place;
}

export interface List {
  readonly kind: 'list';
  readonly items: readonly Node[];
  readonly place: Place;
}

export interface Mapping {
  readonly kind: 'map';
  readonly entries: readonly Entry[];
  readonly place: Place;
}

export interface Entry {
  readonly key: string;
  readonly keyPlace: Place;
  readonly value: Node;
}

export const wrongAt = (place: Place, wrong: string, right: string): Problem => ({
  severity: 'error',
  ...place,
  path: '',
  message: wrong,
  remedy: right,
});

export const doubtAt = (place: Place, wrong: string, right: string): Problem => ({
  ...wrongAt(place, wrong, right),
  severity: 'warning',
});

/** Turns offsets of a text into places. */
export function placesOf({ file, text }: Text): (from: number, to?: number) => Place {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (from, to = from + 1) => {
    const line = lineOf(starts, from);
    const start = starts[line] ?? 0;
    const end = text.slice(from, to).search(/[\r\n]/);
    return {
      file,
      line: line + 1,
      column: from - start + 1,
      length: Math.max(1, end === -1 ? to - from : end),
    };
  };
}

/** The last line that begins at or before an offset. */
function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
