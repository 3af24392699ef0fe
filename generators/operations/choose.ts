import type { Cluster, Machine } from '../cluster/cluster.ts';
import { failed, ok, type Result } from '../result.ts';
import { isOnlyWorker } from '../cluster/roles.ts';

/** Whom somebody means: names, labels, or a number of workers by their age in the definition. */
export interface TargetChoice {
  /** Names of machines, or `key=value` of a label that their nodes have, like the id of a VNFC. */
  readonly words: readonly string[];
  /** How many workers, in place of words; 0: none. */
  readonly count: number;
  /** `newest`: those that the definition names last. */
  readonly policy: 'newest' | 'oldest';
}

/** The names of the machines that are meant, or why nobody is. Names that are none are left to `scopeOf`. */
export function chosen(
  cluster: Cluster,
  { words, count, policy }: TargetChoice,
): Result<readonly string[], readonly string[]> {
  if (count === 0) return machinesNamed(cluster, words);
  if (words.length > 0) return failed(['give a number of workers, or names, not both']);
  const workers = cluster.machines.filter(isOnlyWorker).map(({ name }) => name);
  const inOrder = policy === 'newest' ? workers.toReversed() : workers;
  return count < workers.length
    ? ok(inOrder.slice(0, count))
    : failed([`the cluster has ${workers.length} workers, and one has to stay`]);
}

function machinesNamed(
  { machines }: Cluster,
  words: readonly string[],
): Result<readonly string[], readonly string[]> {
  const found = words.map((word) => ({ word, names: word.includes('=') ? having(machines, word) : [word] }));
  const unknown = found.filter(({ names }) => names.length === 0);
  return unknown.length === 0
    ? ok(found.flatMap(({ names }) => names))
    : failed(unknown.map(({ word }) => `no node of the definition has the label ${word}`));
}

const having = (machines: readonly Machine[], word: string): readonly string[] =>
  machines
    .filter(({ labels }) => labels.some(({ key, value }) => `${key}=${value}` === word))
    .map(({ name }) => name);
