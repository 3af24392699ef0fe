import { ok } from '../../../generators/result.ts';
import { unlock as unlockCluster, unlockedText } from '../../steps/run/lock.ts';
import { withServer } from '../../steps/server/session.ts';
import { fileOption, task } from '../../task.ts';

export const unlock = task({
  name: 'unlock',
  positionals: '',
  example: 'unlock',
  options: {
    file: fileOption,
    force: { type: 'boolean', default: false, describe: 'Even if the run that holds it is alive' },
  },
  run: ({ file, force }, world) =>
    withServer(file, world, async ({ server, cluster }) => {
      const unlocked = await unlockCluster(server, { cluster: cluster.name, force });
      if (!unlocked.ok) return unlocked;
      world.report({ type: 'note', text: unlockedText(cluster.name, unlocked.value) });
      return ok(undefined);
    }),
});
