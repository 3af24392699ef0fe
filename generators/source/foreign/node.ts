import type { Problem } from '../problem.ts';

/** A file that somebody hands in: what it is called, and what stands in it. */
export interface Text {
  readonly file: string;
  readonly text: string;
  /** The file itself was named, not only a folder around it. */
  readonly isNamed?: true;
}

/** Where something stands in a text. Lines and columns start at 1. */
export interface TextPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** A value of somebody else's file, with its place: JSON, YAML and INI alike. */
export type ForeignNode = ForeignScalar | List | MapNode;

export interface ForeignScalar {
  readonly kind: 'scalar';
  readonly text: string;
  /** Whether it can only be a text; `null` and `true` without quotes are something else. */
  readonly isQuoted: boolean;
  /** Like `!vault`, else empty. */
  readonly tag: string;
  readonly place: TextPlace;
}

export interface List {
  readonly kind: 'list';
  readonly items: readonly ForeignNode[];
  readonly place: TextPlace;
}

export interface MapNode {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
  readonly place: TextPlace;
}

export interface MapEntry {
  readonly key: string;
  readonly keyPlace: TextPlace;
  readonly value: ForeignNode;
}

export const wrongAt = (place: TextPlace, wrong: string, right: string): Problem => ({
  severity: 'error',
  ...place,
  path: '',
  message: wrong,
  remedy: right,
});

export const doubtAt = (place: TextPlace, wrong: string, right: string): Problem => ({
  ...wrongAt(place, wrong, right),
  severity: 'warning',
});

/** Turns offsets of a text into places. */
export function placesOf({ file, text }: Text): (from: number, to?: number) => TextPlace {
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
