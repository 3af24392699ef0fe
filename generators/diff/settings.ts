/** Leaf by leaf: `keepalived: the priority 100 becomes 99`, where `keepalived: the ` leads in. Both sides are plain data. */
export function compareSettings(lead: string, before: unknown, after: unknown): readonly string[] {
  const old = leavesOf(before);
  const now = leavesOf(after);
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((path) => old.get(path) !== now.get(path))
    .map((path) => sentence(`${lead}${path}`, old.get(path), now.get(path)));
}

function sentence(what: string, before: string | undefined, after: string | undefined): string {
  if (before === undefined) return `${what} is set to ${after ?? ''}`;
  return after === undefined ? `${what} is no longer ${before}` : `${what} ${before} becomes ${after}`;
}

/** Path in plain words → value as text; what says "none" is left out. */
function leavesOf(value: unknown, path = ''): ReadonlyMap<string, string> {
  if (value === undefined || value === null || value === '') return new Map();
  if (typeof value !== 'object') return new Map([[path, JSON.stringify(value).replaceAll(/^"|"$/g, '')]]);
  if (Array.isArray(value)) return value.length === 0 ? new Map() : new Map([[path, listValues(value)]]);
  const entries = Object.entries(value);
  return new Map(entries.flatMap(([key, part]) => [...leavesOf(part, `${path} ${inWords(key)}`.trim())]));
}

const listValues = (list: readonly unknown[]): string => list.map(inList).join(', ');

/** An argument, a label or a taint as `kubectl` writes it; anything else that is no single value as JSON. */
function inList(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item);
  const { key, name = key, value, effect } = item as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || typeof value !== 'string') return JSON.stringify(item);
  return `${name}${value === '' ? '' : `=${value}`}${typeof effect === 'string' ? `:${effect}` : ''}`;
}

/** `advertisementInterval` → `advertisement interval`. */
const inWords = (key: string): string =>
  key.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
