import { releases, type KubesprayRelease } from '../../../catalog/kubespray/releases.ts';
import { keyProblemAt, type Finding, type Path } from '../../../source/finding.ts';
import type { Facts } from '../facts.ts';

export type KubesprayDraft = NonNullable<NonNullable<Facts['draft']['installer']>['kubespray']>;

/** What is judged: the definition, what it says to kubespray, and what is known of the tag. */
export interface KubesprayFacts {
  readonly facts: Facts;
  readonly written: KubesprayDraft;
  readonly release: KubesprayRelease;
}

export const at = (...keys: (string | number)[]): Path => ['installer', 'kubespray', ...keys];

/** A sentence with the versions that do. */
const since = (has: (minor: number) => boolean): string => {
  const able = releases.filter(({ minor }) => has(minor));
  const [first, last] = [able[0]?.tag ?? '', able.at(-1)?.tag ?? ''];
  return last === releases.at(-1)?.tag ? `kubespray ${first} or later` : `kubespray ${first} to ${last}`;
};

/** That the version does not know something, where it does not, with the versions that do. */
export function unknownVariables(
  { release, written }: KubesprayFacts,
  path: Path,
  has: (minor: number) => boolean,
  what: string,
): Finding[] {
  return has(release.minor)
    ? []
    : [keyProblemAt(path, `kubespray ${written.version ?? ''} does not know ${what}`, since(has))];
}

/** A key of our own installer that kubespray is not told. */
export const notSaid = (path: Path, what: string, instead = 'installer.kubespray.variables'): Finding =>
  keyProblemAt(path, `kubespray is not told ${what} by this key`, instead);
