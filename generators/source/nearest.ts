/** The word that was probably meant, as the one name whose domain was left away; undefined if none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const [full, ...more] = known.filter((each) => each.startsWith(`${word}.`));
  if (full !== undefined && more.length === 0) return full;
  const asked = word.slice(0, 64).toLowerCase();
  const ranked = known
    .map((each) => ({ each, distance: distance(asked, each.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best && best.distance <= Math.max(1, Math.floor(best.each.length / 3)) ? best.each : undefined;
}

/** Levenshtein's: how many letters must be put in, taken out or changed. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of Array.from(a).entries()) {
    const next = [i + 1];
    for (const [j, other] of Array.from(b).entries())
      next.push(
        Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
