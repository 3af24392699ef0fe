/** A value with gaps where something is wrong, so that the rest can still be checked. */
export type Gaps<Value> = Value extends readonly (infer Item)[]
  ? readonly (Gaps<Item> | undefined)[]
  : Value extends object
    ? { readonly [Key in keyof Value]?: Gaps<Value[Key]> | undefined }
    : Value;

/**
 * Whether something is wrong at one of the places, or with what holds it: then nobody knows what was meant there, and
 * nothing follows from what lacks. `hosts.*.name`: that of any host.
 */
export const hasGap = (draft: object, ...places: readonly string[]): boolean =>
  places.some((place) => isGap(draft, place.split('.')));

function isGap(value: unknown, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined || typeof value !== 'object' || value === null) return false;
  const next = step === '*' ? Object.values(value) : Object.hasOwn(value, step) ? [field(value, step)] : [];
  return next.some((each) => each === undefined || isGap(each, rest));
}

const field = (value: object, key: string): unknown => (value as Readonly<Record<string, unknown>>)[key];
