import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from './failures.ts';
import type { World } from './world.ts';

/** Goes on only when a person typed `yes`, or said `--yes` before; without a terminal nobody can be asked. */
export async function agreement(
  question: string,
  yes: boolean,
  world: World,
): Promise<Result<void, Failure>> {
  if (yes) return ok(undefined);
  if (!world.isTerminal)
    return failed({
      kind: 'usage',
      message: `there is no terminal to ask on: ${question}`,
      next: 'run it again with --yes',
    });
  const answer = await world.ask(`${question} (yes/no) `);
  return answer?.trim() === 'yes' ? ok(undefined) : failed({ kind: 'usage', message: 'nothing was changed' });
}
