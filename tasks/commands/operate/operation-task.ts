import type { Operation } from '../../../generators/operations/operation.ts';
import { taskName } from '../../overview/summaries.ts';
import { perform } from '../../pipeline.ts';
import { fileOption, outputOption, setOption, task, wholeFrom, type Task } from '../../task.ts';

/** Whom an operation is about, and what confirms it. */
export const aimOptions = {
  target: {
    type: 'string',
    array: true,
    requiresArg: true,
    default: [] as string[],
    describe: 'Target of the operation; repeatable',
  },
  'kubectl-host': {
    type: 'string',
    default: '',
    describe: 'Control plane to run kubectl on (default: the first one that is not a target)',
  },
  confirm: {
    type: 'string',
    describe: 'Confirm a destructive operation: comma-separated target names, or the cluster name',
  },
} as const;

/** Where the whole cluster is meant. */
const aimless = {
  target: { ...aimOptions.target, hidden: true },
  'kubectl-host': { ...aimOptions['kubectl-host'], hidden: true },
} as const;

/** Names as typed, one a word or joined by commas. */
export const namesIn = (words: readonly string[]): string[] =>
  words.flatMap((word) => word.split(',')).filter((word) => word !== '');

/** The task that runs one operation, whose playbook has its name unless another one is given. */
export const operationTask = (
  { name, targets, example }: Pick<Operation, 'name' | 'targets' | 'example'>,
  playbook = name,
): Task =>
  task({
    name: taskName(name),
    positionals: positionals[targets.count],
    example,
    options: {
      file: fileOption,
      output: outputOption,
      node: {
        type: 'string',
        array: true,
        default: [] as string[],
        describe: 'Node name, or key=value of its label',
        hidden: targets.count === 'none',
      },
      ...aimOptions,
      ...(targets.count === 'none' ? aimless : {}),
      ...pickOptions(!targets.leave),
      set: setOption,
      check: {
        type: 'boolean',
        default: false,
        describe: "Ansible's check mode, with diffs: changes nothing",
      },
      diff: { type: 'boolean', default: false, describe: 'Show file changes as diffs' },
    },
    run: (
      { file, output, node, target, 'kubectl-host': leader, confirm, count, policy, set, check, diff },
      world,
    ) =>
      perform(
        {
          ...{ file, output, playbook, given: set, leader, pick: { count, policy } },
          targets: namesIn([...node, ...target]),
          ...(confirm === undefined ? {} : { confirm }),
          options: { check, diff: diff || check },
        },
        world,
      ),
  });

/** Workers by their number; hidden where none of them leaves. */
const pickOptions = (hidden: boolean) =>
  ({
    count: {
      type: 'number',
      coerce: wholeFrom(0, 'count'),
      default: 0,
      hidden,
      describe: 'Number of workers, instead of names',
    },
    policy: {
      choices: ['newest', 'oldest'] as const,
      default: 'newest' as const,
      hidden,
      describe: 'With --count: take the workers named last in the definition, or first',
    },
  }) as const;

const positionals = { none: '', one: '[node]', several: '[node..]' } as const;
