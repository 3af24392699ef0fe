import { choose, lineWanted } from '../../generators/update/choose.ts';
import type { ComponentName, SumSource } from '../../generators/update/components.ts';
import { updateKubespray, type VersionChange } from '../../generators/update/kubespray.ts';
import { pinnedIn, pinAgain, type PinnedComponent } from '../../generators/update/pinned.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';
import { publishedSum, publishedVersions, type Place } from './published.ts';

export interface UpdateRequest {
  readonly text: string;
  /** Names of what is looked at; empty: everything. */
  readonly only: readonly string[];
  readonly minor: boolean;
  readonly place: Place;
}

/** What there is to change, and what stands in the way. */
export interface FoundUpdates {
  /** The definition with everything that was found; the same text where nothing is newer. */
  readonly text: string;
  /** Everything that was looked at; both versions are the same where nothing is newer. */
  readonly changes: readonly VersionChange[];
  readonly failures: readonly Failure[];
}

/** Asks those who publish what a definition names for newer versions, with their checksums. Nothing is written. */
export async function findUpdates({ text, only, minor, place }: UpdateRequest): Promise<FoundUpdates> {
  const isAsked = (name: string): boolean => only.length === 0 || only.includes(name);
  const found: { text: string; changes: VersionChange[]; failures: Failure[] } = {
    text,
    changes: [],
    failures: [],
  };
  const chosen = new Map<ComponentName, string>();
  for (const pinned of pinnedIn(text)) {
    const { name } = pinned.component;
    chosen.set(name, pinned.version);
    if (!isAsked(name)) continue;
    const target = await targetOf(pinned, { minor, chosen, place });
    if (!target.ok) {
      found.failures.push(target.failure);
      continue;
    }
    const { version } = target.value;
    chosen.set(name, version);
    found.changes.push({ name, from: pinned.version, to: version });
    if (version !== pinned.version) found.text = pinAgain(found.text, pinned, target.value);
  }
  const kubespray = isAsked('kubespray') ? updateKubespray(text, minor) : undefined;
  if (kubespray?.ok === false) found.failures.push(refusal(kubespray.failure));
  if (kubespray?.ok !== true) return found;
  return { ...found, text: kubespray.value.text, changes: [...found.changes, ...kubespray.value.changes] };
}

interface Surroundings {
  readonly minor: boolean;
  readonly chosen: ReadonlyMap<ComponentName, string>;
  readonly place: Place;
}

async function targetOf(
  pinned: PinnedComponent,
  { minor, chosen, place }: Surroundings,
): Promise<Result<{ readonly version: string; readonly sum: string }, Failure>> {
  const { component, version: current, sum, url, file } = pinned;
  const choice = { name: component.name, current, minor, chosen };
  const line = lineWanted(choice);
  if (!line.ok) return failed(refusal(line.failure));
  const published = await publishedVersions(component, line.value, place);
  if (!published.ok) return published;
  const version = choose(choice, line.value, published.value);
  if (version !== current && url?.includes(current) === false)
    return failed(
      refusal(
        `${component.name} ${version} is there, but the address in the definition names no version: ${url}`,
      ),
    );
  if (version !== current && file !== undefined)
    return failed(
      refusal(
        `${component.name} ${version} is there, and ${file} beside the definition is of ${current}: bring that of ${version}, read what changes, then write the version`,
      ),
    );
  const source = component.sum?.(version);
  if (sum === undefined || source === undefined) return ok({ version, sum: '' });
  const now = await publishedSum(source, version, place);
  if (!now.ok) return now;
  return version === current && now.value !== sum
    ? failed(otherSum(pinned, now.value, source))
    : ok({ version, sum: now.value });
}

const refusal = (message: string): Failure => ({
  kind: 'refused',
  message,
  evidence: '',
  next: 'npx task versions shows what is known; a newer Playsmith may know more; --only looks at the rest',
});

/** Either the definition is wrong, or what lies there was replaced. */
const otherSum = (
  { component, version, sum = '' }: PinnedComponent,
  published: string,
  { address }: SumSource,
): Failure => ({
  kind: 'bundle',
  message: `the definition has another checksum of ${component.name} ${version} than its project publishes`,
  evidence: `  definition  ${sum}\n  published   ${published}\n  at          ${address}`,
});
