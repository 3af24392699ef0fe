import { existsSync, readFileSync, readdirSync } from 'node:fs';

/** Neither gone nor a zombie. */
export function isAlive(pid: number): boolean {
  const stat = existsSync(`/proc/${pid}/stat`) ? statOf(pid) : '';
  return stat !== '' && !/\) [ZX] /.test(stat);
}

/** Children first, the eldest before the others, then theirs, by what /proc says at this moment. */
export function descendants(pid: number): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), Number(/\) \S (\d+)/.exec(statOf(Number(name)))?.[1])]),
  );
  const below = (parent: number): number[] =>
    [...parents]
      .filter(([, its]) => its === parent)
      .map(([child]) => child)
      .sort((one, other) => startOf(one) - startOf(other));
  const found = below(pid);
  for (const each of found) found.push(...below(each));
  return found;
}

/** Numbers of processes begin again at the bottom now and then. */
const startOf = (pid: number): number => Number(statOf(pid).split(') ')[1]?.split(' ')[19] ?? 0);

/** Empty when the process is gone by now. */
function statOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}
