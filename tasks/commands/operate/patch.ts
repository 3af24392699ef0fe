import { perform } from '../../pipeline.ts';
import { fileOption, outputOption, setOption, task } from '../../task.ts';
import { namesIn } from './operation-task.ts';

export const patch = task({
  name: 'patch',
  positionals: '[machine..]',
  example: 'patch --check',
  options: {
    file: fileOption,
    output: outputOption,
    machine: {
      type: 'string',
      array: true,
      default: [] as string[],
      describe: 'Only these machines, in the order in which all are patched',
    },
    set: setOption,
    check: { type: 'boolean', default: false, describe: "Ansible's check mode, with diffs: changes nothing" },
    diff: { type: 'boolean', default: false, describe: 'Show file changes as diffs' },
  },
  run: ({ file, output, machine, set, check, diff }, world) => {
    const limit = namesIn(machine);
    const options = { check, diff: diff || check, ...(limit.length === 0 ? {} : { limit }) };
    return perform({ file, output, playbook: 'patch', options, given: set }, world);
  },
});
