import { perform } from '../../pipeline.ts';
import { takeSnapshot } from '../../steps/state/snapshot.ts';
import { fileOption, outputOption, setOption, task } from '../../task.ts';

export const backup = task({
  name: 'backup',
  positionals: '',
  example: 'backup --to ~/backups/edge-a',
  options: {
    file: fileOption,
    output: outputOption,
    to: { type: 'string', describe: 'Also copy it to this local folder' },
    set: setOption,
  },
  run: ({ file, output, to, set }, world) =>
    perform({ file, output, playbook: 'etcd-backup', options: {}, given: set }, world, (session) =>
      takeSnapshot(session, to, world),
    ),
});
