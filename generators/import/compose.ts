import { pathText } from '../source/finding.ts';
import type { Piece } from './part.ts';
import type { TextPlace } from '../source/foreign/node.ts';

/** What the pieces make together: plain data, where each of it was told, and what is written above it. */
export interface ComposedDefinition {
  readonly data: Readonly<Record<string, unknown>>;
  readonly places: ReadonlyMap<string, TextPlace>;
  readonly notes: ReadonlyMap<string, readonly string[]>;
}

/** Later pieces win; what they say about places and notes is kept beside the data. */
export function compose(pieces: readonly Piece[]): ComposedDefinition {
  const data: Record<string, unknown> = {};
  const places = new Map<string, TextPlace>();
  const notes = new Map<string, string[]>();
  for (const { path, value, place, note } of pieces) {
    const key = pathText(path);
    if (value !== undefined) putAt(data, path, value);
    if (place) places.set(key, place);
    if (note !== undefined) notes.set(key, [...(notes.get(key) ?? []), note]);
  }
  return { data, places, notes };
}

type Container = Record<string | number, unknown>;

function putAt(root: Container, path: Piece['path'], value: unknown): void {
  let node = root;
  for (const [index, step] of path.slice(0, -1).entries()) {
    if (!isContainer(node[step])) node[step] = typeof path[index + 1] === 'number' ? [] : {};
    node = node[step] as Container;
  }
  const last = path.at(-1);
  if (last !== undefined) node[last] = structuredClone(value);
}

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;
