/** The second number of a version: 37 of `1.37.2`; 0 where there is none. */
export const minorOf = (version: string): number => Number(version.split('.')[1] ?? 0);

/** The line of a program that a version belongs to: `2.3` of `2.3.7`. */
export const lineOf = (version: string): string => version.split('.').slice(0, 2).join('.');

/** Below zero: `version` is older than `other`; zero: the same. Both like `2.3.7`. */
export function compareVersions(version: string, other: string): number {
  const [left, right] = [numbersOf(version), numbersOf(other)];
  const index = left.findIndex((number, each) => number !== (right[each] ?? 0));
  return index < 0 ? 0 : (left[index] ?? 0) - (right[index] ?? 0);
}

const numbersOf = (version: string): readonly number[] => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10) || 0);
  return [major, minor, patch];
};
