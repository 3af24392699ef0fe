import { createHash } from 'node:crypto';

/** SHA-256 as lower-case hexadecimal. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** JSON whose text depends on the value alone: the keys of every object are sorted. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => sorted(part));

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
