import { failed } from '../generators/result.ts';
import { perform } from './pipeline.ts';
import { fileOption, outputOption, task } from './task.ts';

export const verify = task({
  name: 'verify',
  positionals: '',
  example: 'verify --conformance --focus ConfigMap',
  options: {
    file: fileOption,
    output: outputOption,
    conformance: {
      type: 'boolean',
      default: false,
      describe: 'Run the tests that Kubernetes tags Conformance, which takes from minutes to hours',
    },
    focus: { type: 'string', describe: 'Of these only tests whose names match; a regular expression' },
    skip: { type: 'string', describe: 'None of these tests whose names match; a regular expression' },
    processes: { type: 'number', describe: 'How many tests run side by side; else one after the other' },
  },
  run: ({ file, output, conformance, focus, skip, processes }, world) => {
    const asked = { focus, skip, processes };
    const given = Object.entries(asked).flatMap(([name, value]) =>
      value === undefined ? [] : [`conformance_${name}=${value}`],
    );
    if (!conformance && given.length > 0)
      return Promise.resolve(
        failed({
          kind: 'usage',
          message: '--focus, --skip and --processes are about the conformance tests',
          next: 'Add --conformance',
        } as const),
      );
    return perform(
      { file, output, playbook: conformance ? 'conformance' : 'verify', options: {}, given },
      world,
    );
  },
});
