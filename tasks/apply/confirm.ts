import type { Step } from '../../generators/plan/step.ts';
import { titleOf } from '../../generators/plan/words.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import { agreement } from '../runtime/agreement.ts';
import type { Failure } from '../runtime/failures.ts';
import type { World } from '../runtime/world.ts';

export interface Agreement {
  /** `--yes`. */
  readonly yes: boolean;
  /** Names that `--confirm` gave. */
  readonly confirm: readonly string[];
}

/** Goes on when a person agrees to the steps, and to each dangerous one by the name of what it is about. */
export async function requireConsent(
  steps: readonly Step[],
  { yes, confirm }: Agreement,
  world: World,
): Promise<Result<void, Failure>> {
  const unknown = confirm.filter((name) => !steps.some((step) => step.confirm === name));
  if (unknown.length > 0)
    return failed({
      kind: 'usage',
      message: `--confirm ${unknown.join(', ')}: no step of this plan needs that confirmation; nothing was run`,
    });
  for (const step of steps.filter((each) => each.confirm !== '' && !confirm.includes(each.confirm))) {
    const said = await world.ask(`${titleOf(step)}\nType ${step.confirm} to agree to this step: `);
    if (said?.trim() !== step.confirm) return failed(needsConfirmation(step, steps));
  }
  const count = `${steps.length} step${steps.length === 1 ? '' : 's'}`;
  return steps.length === 0 ? ok(undefined) : agreement(`Run ${count}?`, yes, world);
}

const needsConfirmation = (step: Step, steps: readonly Step[]): Failure => ({
  kind: 'usage',
  message: `nobody confirmed ${titleOf(step)}; nothing was run`,
  next: `run it again with ${steps
    .filter(({ confirm }) => confirm !== '')
    .map(({ confirm }) => `--confirm ${confirm}`)
    .join(' ')}`,
});
