import type { Cluster } from '../cluster/cluster.ts';
import { changesOf, inWords, dottedPath, type Change } from './changes.ts';
import { describeMachine } from './machines.ts';
import type { Meaning, Sides } from './rules/meaning.ts';
import { meaningOf } from './rules/rules.ts';

/** A change of the definition, what it means, and whether it only follows from a machine that came or went. */
export interface Difference {
  readonly change: Change;
  readonly meaning: Meaning;
  readonly follows: boolean;
}

/** Every change with its meaning; a machine that came or went is one change, whatever is said about it. */
export function differencesOf(before: Cluster, after: Cluster): readonly Difference[] {
  const [old, now] = [machineTexts(before), machineTexts(after)];
  const names = [...new Set([...old.keys(), ...now.keys()])];
  const moved = new Set(names.filter((name) => !old.has(name) || !now.has(name)));
  const whole = [...moved].map((name): Change => ({
    path: ['machines', name],
    before: old.get(name),
    after: now.get(name),
  }));
  const addressed = names.filter((name) => old.get(name) !== now.get(name));
  const single = changesOf(before, after).filter(
    // CNFs have steps of their own.
    ({ path: [part, name = ''] }) => part !== 'cnfs' && (part !== 'machines' || !moved.has(name)),
  );
  return [...whole, ...single].map((change) => ({
    change,
    meaning: meaningOf(change, { before, after }),
    follows: followsFrom(change, addressed) || isOfMachines(change, { before, after }),
  }));
}

const machineTexts = ({ machines }: Cluster): ReadonlyMap<string, string> =>
  new Map(machines.map((machine) => [machine.name, describeMachine(machine)]));

/** What the definition does not say itself, but machines of it decide. */
function followsFrom(change: Change, names: readonly string[]): boolean {
  if (names.length === 0) return false;
  const key = dottedPath(change);
  if (key === 'kubernetes.certificateSans') return true;
  return (
    names.some((name) => change.path.includes(name)) &&
    ['machines', 'endpoint.balancers', 'endpoint.haproxy.servers'].some((start) =>
      key.startsWith(`${start}.`),
    )
  );
}

/** Whether only machines that come, go or move decide the names in certificates, which kubespray changes by an upgrade alone. */
function isOfMachines(change: Change, sides: Sides): boolean {
  if (dottedPath(change) !== 'kubespray.certificateSans') return false;
  const [old, now] = [change.before, change.after].map(
    (text = '[]') => JSON.parse(text) as readonly string[],
  );
  const own = new Set(
    [sides.before, sides.after].flatMap(({ machines }) =>
      machines.flatMap(({ name, address, ssh }) => [name, address, ssh.host]),
    ),
  );
  const moved = [...(old ?? []), ...(now ?? [])].filter(
    (word) => !(old?.includes(word) && now?.includes(word)),
  );
  return moved.every((word) => own.has(word));
}

/** The differences that make a phase run, in words: those that name it, else those that leave it open. */
export function reasonsFor(phase: string, differences: readonly Difference[]): readonly string[] {
  const named = naming(phase, differences);
  const open = differences.filter(
    ({ meaning }) => meaning.kind === 'machine' || (meaning.kind === 'phases' && meaning.phases.length === 0),
  );
  const upgraded = differences.filter(({ meaning }) => meaning.kind === 'upgrade');
  return inReasons([named, [...open, ...upgraded]].find((list) => list.length > 0) ?? []);
}

/** Of a phase that comes with nothing else: only what names it makes it run. */
export const ownReasons = (phase: string, differences: readonly Difference[]): readonly string[] =>
  inReasons(naming(phase, differences));

/** Where no rule says why a phase is rendered otherwise, any change that reaches hosts may be why. */
export const possibleReasons = (differences: readonly Difference[]): readonly string[] =>
  inReasons(differences.filter(({ meaning }) => meaning.kind === 'phases'));

const inReasons = (differences: readonly Difference[]): readonly string[] =>
  differences.map(({ change, meaning }) =>
    meaning.kind === 'phases' && meaning.note !== undefined
      ? `${inWords(change)} (${meaning.note})`
      : inWords(change),
  );

/** True when a change brings a phase to run, whatever machines come and go. */
export const explains = ({ meaning, follows }: Difference, phase: string): boolean =>
  !follows &&
  (names(meaning, phase) ||
    (meaning.kind === 'phases' && meaning.phases.length === 0) ||
    meaning.kind === 'upgrade' ||
    meaning.kind === 'whole');

const naming = (phase: string, differences: readonly Difference[]): readonly Difference[] =>
  differences.filter(({ meaning }) => names(meaning, phase));

const names = (meaning: Meaning, phase: string): boolean =>
  meaning.kind === 'phases' && meaning.phases.includes(phase);

/** Differences of a kind, each in words with its reason. */
export const withReason = (differences: readonly Difference[], kind: 'none' | 'refused'): readonly string[] =>
  differences.flatMap(({ change, meaning }) =>
    meaning.kind === kind ? [`${inWords(change)}: ${meaning.why}`] : [],
  );
