import type { Defaults } from './kubespray-defaults.ts';

/** Variables that a tag does not know, or has another kind of value for. */
export const misfits = (
  written: ReadonlyMap<string, readonly unknown[]>,
  defaults: Defaults,
): readonly string[] =>
  [...written].flatMap(([name, values]) => {
    const known = defaults.get(name);
    if (known === undefined) return [`${name} is unknown`];
    return values
      .filter((value) => !fitsAny(value, known))
      .map((value) => `${name}: ${JSON.stringify(value)} is not like ${JSON.stringify(known)}`);
  });

/** What kubespray computes says nothing about its kind, so a plain value beside it decides. */
function fitsAny(value: unknown, defaults: readonly unknown[]): boolean {
  const plain = defaults.filter((each) => !isExpression(each));
  return isExpression(value) || plain.length === 0 || plain.some((each) => fits(value, each));
}

const isExpression = (value: unknown): boolean => typeof value === 'string' && value.includes('{{');

function fits(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return Array.isArray(value) && value.every((each) => wanted.length === 0 || fitsAny(each, wanted));
  if (typeof wanted === 'object' && wanted !== null)
    return typeof value === 'object' && value !== null && !Array.isArray(value) && fitsMapping(value, wanted);
  if (typeof value === 'object') return false;
  if (wanted === null || wanted === '') return typeof value !== 'boolean';
  return kindOf(value) === kindOf(wanted);
}

/** Hosts as keys are anybody's, with one value or several, since kubespray flattens them; any other key is the tag's. */
const fitsMapping = (value: object, wanted: object): boolean =>
  Object.entries(value).every(([key, each]: [string, unknown]) =>
    Object.entries(wanted).some(([name, like]: [string, unknown]) =>
      name.includes('.')
        ? [each].flat().every((one) => fitsAny(one, [like]))
        : name === key && fitsAny(each, [like]),
    ),
  );

/** Numbers may stand as text, since kubespray writes both into files; a version has its `v` or has none. */
function kindOf(value: unknown): string {
  if (typeof value !== 'string') return typeof value;
  return /^\d+$/.test(value) ? 'number' : (/^v(?=\d)/.exec(value)?.[0] ?? 'string');
}
