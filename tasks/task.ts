import type { InferredOptionTypes, Options } from 'yargs';
import type { Result } from '../generators/result.ts';
import { groupOf, type HelpGroup } from './overview/groups.ts';
import { summaries, type TaskName } from './overview/summaries.ts';
import type { Failure } from './runtime/failures.ts';
import type { World } from './runtime/world.ts';

export type Outcome = Result<void, Failure>;

/** One thing that a person can ask for: data, so that it can be listed, shown as help and tested. */
export interface Task {
  readonly name: TaskName;
  /** Positional arguments as yargs writes them, like `[playbook]`; empty: none. */
  readonly positionals: string;
  readonly summary: string;
  /** Where help shows it. */
  readonly group: HelpGroup;
  /** One command line that works, without `npx task`. */
  readonly example: string;
  readonly options: Readonly<Record<string, Options>>;
  readonly run: (values: never, world: World) => Promise<Outcome>;
}

/** A task whose `run` sees its options with their types; what help says of it stands in help/. */
export const task = <const O extends Readonly<Record<string, Options>>>(
  definition: Omit<Task, 'name' | 'summary' | 'group' | 'options' | 'run'> & {
    readonly name: TaskName;
    readonly options: O;
    readonly run: (values: InferredOptionTypes<O>, world: World) => Promise<Outcome>;
  },
): Task => ({ ...definition, summary: summaries[definition.name], group: groupOf(definition.name) });

/** Judges a number of the command line: one that is not whole, or less than `least`, is a fault of usage. */
export const wholeFrom =
  (least: number, name: string) =>
  (value: number | readonly number[]): number => {
    if (typeof value !== 'number') throw new Error(`--${name} is given more than once`);
    if (Number.isSafeInteger(value) && value >= least) return value;
    throw new Error(`--${name} has to be a whole number, ${least} or more`);
  };

/** The definition that a task works on. */
export const fileOption = {
  alias: 'f',
  type: 'string',
  default: 'cluster.yml',
  describe: 'The cluster definition',
} as const satisfies Options;

/** Variables of a run. */
export const setOption = {
  type: 'string',
  array: true,
  nargs: 1,
  default: [] as string[],
  describe: 'Set a variable the playbook declares, as variable=value; repeatable',
} as const satisfies Options;

/** The folder that holds one folder a cluster. */
export const outputOption = {
  type: 'string',
  default: 'playbooks',
  describe: 'Folder of rendered bundles, one subfolder per cluster',
} as const satisfies Options;
