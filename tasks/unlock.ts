import { ok } from '../generators/result.ts';
import type { Answers } from './runtime/agent/messages.ts';
import { unlock as unlockCluster } from './steps/lock.ts';
import { withServer } from './steps/session.ts';
import { fileOption, task } from './task.ts';

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

/** Whose lock was removed, if there was one. */
export function unlockedText(
  cluster: string,
  { removed, holder, unstopped = [] }: Answers['unlock'],
): string {
  const held = holder ? `, held since ${holder.since} by ${holder.who} for ${holder.what}` : '';
  const left = unstopped.length === 0 ? '' : `; what could not be stopped goes on: ${unstopped.join('; ')}`;
  return removed ? `${cluster} is unlocked${held}${left}` : `${cluster} is not locked`;
}
