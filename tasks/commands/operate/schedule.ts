import { installSchedule, removeSchedule } from '../../schedule/install.ts';
import { showSchedule } from '../../schedule/show.ts';
import { fileOption, outputOption, task } from '../../task.ts';

export const schedule = task({
  name: 'schedule',
  positionals: '[action]',
  example: 'schedule install',
  options: {
    file: fileOption,
    output: outputOption,
    action: {
      choices: ['show', 'install', 'remove'] as const,
      default: 'show' as const,
      describe: 'Show what runs when and how it ended, put the units there, or remove them',
    },
  },
  run: ({ file, output, action }, world) => actions[action]({ file, output }, world),
});

const actions = { show: showSchedule, install: installSchedule, remove: removeSchedule } as const;
