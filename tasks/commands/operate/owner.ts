import { failed } from '../../../generators/result.ts';
import { perform } from '../../pipeline.ts';
import { fileOption, outputOption, task } from '../../task.ts';

export const owner = task({
  name: 'owner',
  positionals: '[action]',
  example: 'owner adopt --from edge-old',
  options: {
    file: fileOption,
    output: outputOption,
    action: {
      choices: ['show', 'adopt', 'release'] as const,
      default: 'show' as const,
      describe: 'Show whose they are, take them over, or hand them back',
    },
    from: { type: 'string', describe: 'With adopt: the cluster to which they belong until now' },
  },
  run: ({ file, output, action, from }, world) => {
    if ((action === 'adopt') !== (from !== undefined))
      return Promise.resolve(
        failed({ kind: 'usage', message: 'adopt and --from <cluster> go together' } as const),
      );
    const given = [`owner_action=${action}`, ...(from === undefined ? [] : [`owner_former=${from}`])];
    return perform({ file, output, playbook: 'owner', options: {}, given }, world);
  },
});
