import { operator } from '../../runtime/operator.ts';
import { cancel as cancelRun, cancellationResult } from '../../steps/run/lock.ts';
import { withServer } from '../../steps/server/session.ts';
import { fileOption, task } from '../../task.ts';

export const cancel = task({
  name: 'cancel',
  positionals: '[run]',
  example: 'cancel',
  options: {
    file: fileOption,
    run: { type: 'string', default: '', describe: 'Id of the run (default: the latest)' },
  },
  run: ({ file, run }, world) =>
    withServer(file, world, async ({ server, cluster }) => {
      const who = await operator(world.cwd);
      const cancelled = await cancelRun(server, { cluster: cluster.name, run, who });
      if (!cancelled.ok) return cancelled;
      world.report({ type: 'note', text: `run ${cancelled.value.run}: ${cancelled.value.status}` });
      return cancellationResult(cancelled.value);
    }),
});
