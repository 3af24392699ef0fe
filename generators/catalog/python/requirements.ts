import { wheels } from './wheels.ts';

/**
 * Which Python packages `bootstrap` installs is fixed with their checksums, by `scripts/lock-python.py` on 25 November 2026.
 * Tags of kubespray whose `requirements.txt` has the same lines share a template; those before v2.23 want packages without wheels.
 */
const kubespray: readonly (readonly [string, ...string[]])[] = [
  ['v2.23.0', 'v2.23.1'],
  ['v2.23.2', 'v2.23.3'],
  ['v2.24.0', 'v2.24.1', 'v2.24.2', 'v2.24.3'],
  ['v2.25.0', 'v2.25.1'],
  ['v2.26.0', 'v2.26.1'],
  ['v2.27.0'],
  ['v2.27.1'],
  ['v2.28.0', 'v2.28.1'],
  ['v2.29.0', 'v2.29.1'],
  ['v2.30.0'],
  ['v2.31.0'],
];

const folder = 'bootstrap/requirements';

/** What ansible-core and ansible-runner want beside each other. */
export const ansibleTemplate = `${folder}/ansible.txt.hbs`;

/**
 * Everything that a tag of kubespray wants; undefined: nobody knows its checksums. A patch that came later may want the
 * same as the one before it: `bootstrap` holds what was installed against the checkout's own list.
 */
export function kubesprayTemplate(tag: string): string | undefined {
  const minor = tag.replace(/\.\d+$/, '.');
  const [first] =
    kubespray.find((tags) => tags.includes(tag)) ??
    kubespray.findLast((tags) => tags.some((each) => each.startsWith(minor))) ??
    [];
  return first === undefined ? undefined : `${folder}/kubespray-${first}.txt.hbs`;
}

export type PythonProgram = keyof typeof wheels;

/** SHA-256 of the wheel of exactly that version; undefined: it is not known. */
export const wheelOf = (program: PythonProgram, version: string): string | undefined =>
  wheels[program][version];

/** The newest patch of each minor version whose wheel is known, oldest first. */
export const newestOf = (program: PythonProgram): readonly string[] => [
  ...new Map(
    Object.keys(wheels[program]).map((version) => [version.split('.').slice(0, 2).join('.'), version]),
  ).values(),
];
