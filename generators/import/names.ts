import { machineName, name as isName } from '../definition/schema/judges.ts';

/** Whether a name can stand in a definition as it is. */
export const isSafe = (name: string): boolean => isName(name) === undefined;

/** The same of a machine, whose name may have a domain. */
export const isSafeForMachine = (name: string): boolean => machineName(name) === undefined;

/** The nearest name of a machine: its own in small letters where that is one. */
export const safeMachineName = (name: string, fallback?: string): string =>
  isSafeForMachine(name.toLowerCase()) ? name.toLowerCase() : safeName(name, fallback);

/** The nearest name that is safe everywhere: small letters, no domain, no other marks. */
export function safeName(name: string, fallback = 'node'): string {
  const bare = /^[\d.:]+$/.test(name) ? name : (name.split('.')[0] ?? '');
  const plain = bare
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 50)
    .replace(/-+$/, '');
  const lettered = /^[a-z]/.test(plain) ? plain : `${fallback}-${plain}`.replace(/-$/, '');
  return isSafe(lettered) ? lettered : `${lettered}-1`;
}

/** Each name once: a later one of the same name gets a number. */
export function unlike(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
}

/** `node` and 3 of 12: `node03`. */
export const numberName = (word: string, index: number, count: number): string =>
  `${word}${String(index + 1).padStart(Math.max(2, String(count).length), '0')}`;
