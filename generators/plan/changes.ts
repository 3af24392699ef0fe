/** One leaf of the resolved cluster that differs; a side that is missing is undefined. */
export interface Change {
  /** Like `endpoint`, `port` or `machines`, `worker01`, `address`: a name in it may have dots itself. */
  readonly path: readonly string[];
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Leaf by leaf, what differs between two resolved clusters, in the order in which they are written. */
export function changesOf(before: unknown, after: unknown): readonly Change[] {
  const old = leavesOf(before);
  const now = leavesOf(after);
  return (
    [...new Map([...old, ...now])]
      .map(([key, { path }]) => ({ path, before: old.get(key)?.value, after: now.get(key)?.value }))
      // A key that an older Playsmith did not have says as much as an empty one.
      .filter((change) => orEmpty(change.before) !== orEmpty(change.after))
  );
}

/** `endpoint.port` */
export const dottedPath = ({ path }: Pick<Change, 'path'>): string => path.join('.');

/** `endpoint.port: 6440 becomes 8443`, as a person reads it. */
export function inWords({ path, before, after }: Change): string {
  const key = dottedPath({ path });
  const [old, now] = [before, after].map(wordsOf);
  if (old !== undefined && now !== undefined) return membersInWords(key, old, now);
  if (before === undefined) return `${key}: ${excerpt(after)} is added`;
  if (after === undefined) return `${key}: ${excerpt(before)} is gone`;
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  // Where both begin alike for long, what differs has to be seen.
  const from = Math.max(before.length, after.length) > longest && same > 20 ? same - 15 : 0;
  return `${key}: ${excerpt(before, from)} becomes ${excerpt(after, from)}`;
}

/** Of a list of plain words only what came and what went is told. */
function membersInWords(key: string, old: readonly string[], now: readonly string[]): string {
  const came = now.filter((word) => !old.includes(word)).map((word) => `${excerpt(word)} is added`);
  const went = old.filter((word) => !now.includes(word)).map((word) => `${excerpt(word)} is gone`);
  return `${key}: ${[...came, ...went].join(', ') || 'another order'}`;
}

function wordsOf(value: string | undefined): readonly string[] | undefined {
  if (value?.startsWith('["') !== true) return undefined;
  const list = JSON.parse(value) as readonly unknown[];
  return list.every((each): each is string => typeof each === 'string') ? list : undefined;
}

interface Leaf {
  readonly path: readonly string[];
  readonly value: string;
}

/** Every leaf by its path. What has a name is found by it, wherever it stands in its list. */
function leavesOf(root: unknown): ReadonlyMap<string, Leaf> {
  const found = new Map<string, Leaf>();
  const walk = (value: unknown, path: readonly string[]): void => {
    const entries = entriesOf(value);
    if (entries === undefined) found.set(JSON.stringify(path), { path, value: text(value) });
    else for (const [name, part] of entries) walk(part, [...path, name]);
  };
  walk(root, []);
  return found;
}

/** The parts of a value that are compared on their own; undefined for a leaf. */
function entriesOf(value: unknown): readonly (readonly [string, unknown])[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return Object.entries(value);
  const names = value.map(nameOf);
  const usable = names.length > 0 && !names.includes(undefined) && new Set(names).size === names.length;
  return usable ? value.map((item: unknown, index) => [names[index] ?? '', argumentOf(item)]) : undefined;
}

/** Of an argument its value: its name is in the key. */
function argumentOf(item: unknown): unknown {
  const { name, value, ...rest } = item as Readonly<Record<string, unknown>>;
  return name !== undefined && value !== undefined && Object.keys(rest).length === 0 ? value : item;
}

function nameOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const { name, host, variable, device } = item as Readonly<Record<string, unknown>>;
  return [name, host, variable, device].find((each): each is string => typeof each === 'string');
}

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** An empty list is nothing, as is one that is not there: what comes into it is told by itself. */
const orEmpty = (value = ''): string => (value === '[]' || value === '{}' ? '' : value);

const longest = 60;

const excerpt = (value = '', from = 0): string => {
  const line = orEmpty(value) === '' ? 'nothing' : value.slice(from).replaceAll(/\s+/g, ' ');
  return (from > 0 ? '…' : '') + (line.length > longest ? `${line.slice(0, longest - 3)}…` : line);
};
