/** True when `version` is newer than `other`; both like `1.37.2`. */
export function isNewer(version: string, other: string): boolean {
  const [ours, theirs] = [numbersOf(version), numbersOf(other)];
  const first = ours.findIndex((number, place) => number !== theirs[place]);
  return first >= 0 && (ours[first] ?? 0) > (theirs[first] ?? 0);
}

/** How many minor versions lie between the two; another major version is far. */
export function minorsBetween(before: string, after: string): number {
  const [[oldMajor, oldMinor = 0], [major, minor = 0]] = [numbersOf(before), numbersOf(after)];
  return oldMajor === major ? minor - oldMinor : Number.POSITIVE_INFINITY;
}

const numbersOf = (version: string): readonly number[] => version.split('.').map(Number);
