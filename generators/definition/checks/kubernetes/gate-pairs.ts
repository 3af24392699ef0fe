/** One pair of `--feature-gates`. */
export interface GatePair {
  readonly name: string;
  /** undefined: no program reads it. */
  readonly value: boolean | undefined;
  readonly text: string;
}

/** Reads `A=true,B=false` as component-base does: blanks around do not count, nor do pairs that are empty. */
export const gatePairs = (text: string): readonly GatePair[] =>
  text
    .split(',')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      const name = pair.slice(0, at < 0 ? undefined : at).trim();
      return { name, value: at < 0 ? undefined : truths.get(pair.slice(at + 1).trim()), text: pair };
    });

/** What ParseBool of Go takes. */
const truths: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((word) => [word, true] as const),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((word) => [word, false] as const),
]);
