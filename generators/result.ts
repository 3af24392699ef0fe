/** What may fail as expected is returned, not thrown. */
export type Result<Value, Problem> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Problem };

export const ok = <Value>(value: Value): { readonly ok: true; readonly value: Value } => ({
  ok: true,
  value,
});

export const failed = <Problem>(failure: Problem): { readonly ok: false; readonly failure: Problem } => ({
  ok: false,
  failure,
});
