import type { RunOptions } from '../../runtime/agent/run-records.ts';
import { aimOptions, namesIn } from '../operate/operation-task.ts';
import { perform } from '../../pipeline.ts';
import { fileOption, outputOption, setOption, task, wholeFrom } from '../../task.ts';

const words = { type: 'string', array: true, requiresArg: true } as const;

export const run = task({
  name: 'run',
  positionals: '[playbook]',
  example: 'run haproxy --check',
  options: {
    file: fileOption,
    output: outputOption,
    playbook: {
      type: 'string',
      default: '',
      describe: 'A phase or operation (default: everything that builds the cluster)',
    },
    set: setOption,
    ...aimOptions,
    confirm: {
      ...aimOptions.confirm,
      describe:
        'Confirm a destructive operation, or run all though a plan refuses it: comma-separated target names, or the cluster name',
    },
    check: { type: 'boolean', default: false, describe: "Ansible's check mode, with diffs: changes nothing" },
    diff: { type: 'boolean', default: false, describe: 'Show file changes as diffs' },
    limit: { ...words, describe: 'Only these hosts or groups; repeatable' },
    tags: { ...words, describe: 'Only tasks with these tags; repeatable' },
    'skip-tags': { ...words, describe: 'Skip tasks with these tags; repeatable' },
    forks: {
      type: 'number',
      coerce: wholeFrom(1, 'forks'),
      describe: "Number of parallel hosts, instead of the bundle's own",
    },
  },
  run: (values, world) => {
    const { file, output, playbook, check, diff, limit, tags, forks, set, target, confirm } = values;
    const leader = values['kubectl-host'];
    const skipTags = values['skip-tags'];
    const options: RunOptions = {
      check,
      diff: diff || check,
      ...(limit === undefined ? {} : { limit: splitLists(limit) }),
      ...(tags === undefined ? {} : { tags: splitLists(tags) }),
      ...(skipTags === undefined ? {} : { skipTags: splitLists(skipTags) }),
      ...(forks === undefined ? {} : { forks }),
    };
    const aimed = { targets: namesIn(target), leader, ...(confirm === undefined ? {} : { confirm }) };
    return perform(
      { file, output, playbook: playbook.replace(/\.yml$/, ''), options, given: set, ...aimed },
      world,
    );
  },
});

const splitLists = (list: readonly string[]): string[] =>
  list.flatMap((item) => item.split(',')).filter((item) => item !== '');
