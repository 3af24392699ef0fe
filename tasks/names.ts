import { ownTasks } from '../generators/operations/table.ts';
import { join, resolve } from 'node:path';
import { playbooks } from '../generators/playbooks.ts';
import type { Cluster } from '../generators/cluster/cluster.ts';
import { catalogue } from './runtime/catalogue.ts';
import { load } from './steps/definition/load.ts';
import { localRecords } from './steps/run/record.ts';
import { keepsake } from './steps/run/watch.ts';
import { world } from './runtime/world.ts';

/** What has been typed before the word that is completed. */
export interface TypedWord {
  readonly task: string;
  /** The word before, which may be an option that wants a value. */
  readonly before: string;
  /** The definition, as `--file` names it. */
  readonly file: string;
}

/**
 * Names that fit after what was typed: playbooks, machines, CNFs, runs, kinds of failures, the cluster. None where the
 * definition cannot be read; nothing is printed and nobody is asked.
 */
export async function namesFor(typed: TypedWord): Promise<readonly string[]> {
  if (typed.task === 'explain') return Object.keys(catalogue);
  const quiet = { ...world({ json: false, quiet: true }), report: () => undefined };
  const loaded = await load(resolve(quiet.cwd, typed.file), quiet);
  if (!loaded.ok) return [];
  const { cluster } = loaded.value;
  if (typed.before === '--confirm') return [cluster.name, ...machines(cluster)];
  if (typed.before === '--target' || typed.before === '--kubectl-host') return machines(cluster);
  if (typed.before === '--limit') return ['all', ...machines(cluster)];
  if (typed.before.startsWith('-')) return [];
  const names = playbooks(cluster).map(({ file }) => file.replace(/\.yml$/, ''));
  if (typed.task === 'run') return names;
  if (typed.task === 'drill')
    return typed.before === 'drill'
      ? names.filter((name) => name.startsWith('drill-')).map((name) => name.slice('drill-'.length))
      : machines(cluster);
  if (aboutMachines.has(typed.task)) return machines(cluster);
  if (typed.task.startsWith('cnf-')) return cluster.cnfs.all.map(({ name }) => name);
  if (!aboutRuns.has(typed.task)) return [];
  const records = await localRecords(join(quiet.cwd, keepsake), cluster.name);
  return [...records.map(({ run }) => run).toReversed(), ...(typed.task === 'report' ? ['cluster'] : [])];
}

const machines = (cluster: Cluster): readonly string[] => cluster.machines.map(({ name }) => name);

const aboutMachines = new Set(
  ownTasks.filter(({ targets }) => targets.count !== 'none').map(({ name }) => name),
);

const aboutRuns = new Set(['logs', 'attach', 'cancel', 'report']);
