import { failed } from '../../../generators/result.ts';
import { perform } from '../../pipeline.ts';
import { fileOption, outputOption, task } from '../../task.ts';

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
      describe: 'Run the Kubernetes conformance tests, which takes minutes to hours',
    },
    focus: { type: 'string', describe: 'Only tests whose names match this regular expression' },
    skip: { type: 'string', describe: 'Skip tests whose names match this regular expression' },
    processes: { type: 'number', describe: 'Number of parallel tests (default: 1)' },
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
