import { perform } from '../../pipeline.ts';
import { takeVim } from '../../steps/state/tacker-vim.ts';
import { fileOption, outputOption, setOption, task } from '../../task.ts';

export const exportTask = task({
  name: 'export',
  positionals: '<kind>',
  example: 'export tacker-vim --set tacker_vim_namespaces=tenant-a',
  options: {
    file: fileOption,
    output: outputOption,
    kind: { choices: ['tacker-vim'] as const, demandOption: true, describe: 'What to export' },
    to: {
      type: 'string',
      describe: 'File to write (default: .playsmith/<cluster>/tacker-vim.yaml beside the definition)',
    },
    set: setOption,
  },
  run: ({ file, output, kind, to, set }, world) =>
    perform({ file, output, playbook: kind, options: {}, given: set }, world, (session) =>
      takeVim(session, to, world),
    ),
});
