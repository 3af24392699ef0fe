import { join } from 'node:path';
import type { Outline } from '../../../generators/outline/outline.ts';
import type { IntendedStep } from '../../../generators/plan/effect.ts';
import type { Step } from '../../../generators/plan/step.ts';
import { failed, type Result } from '../../../generators/result.ts';
import type { RunStep } from '../../runtime/agent/messages.ts';
import type { PlayLength, RunMeta } from '../../runtime/agent/run-records.ts';
import type { Failure } from '../../runtime/failures.ts';
import { operator } from '../../runtime/operator.ts';
import type { SecretValues } from '../../runtime/secrets/secret.ts';
import type { Server } from '../../runtime/server.ts';
import type { World } from '../../runtime/world.ts';
import type { RenderedBundle } from '../bundle/bundle.ts';
import { knownElsewhere } from '../state/former-name.ts';
import { lifeAhead } from '../state/life.ts';
import { heldMachines } from './lock.ts';
import { messagesOf } from './messages.ts';
import { notePlans } from '../state/plans.ts';
import type { PreparedRun } from './prepare.ts';
import { refusalOf } from './refusal.ts';
import { carriage, push } from '../bundle/push.ts';
import type { Revision } from '../bundle/review.ts';
import { start } from './start.ts';
import { keepsake, watch } from './watch.ts';

/** What a run needs besides itself. */
export interface ReadyRun extends PreparedRun {
  readonly revision: Revision;
  readonly secrets: SecretValues;
  readonly server: Server;
  /** The step of an apply that it is, and what the plan expects of it. */
  readonly step?: RunStep;
  readonly planned?: Pick<Step, 'brings' | 'completes'>;
}

/** Pushes, starts and follows a run to its end. */
export async function execute(ready: ReadyRun, world: World): Promise<Result<void, Failure>> {
  const { server, bundle, playbook, options, step } = ready;
  const { secrets, messages } = messagesOf(ready, ready.secrets);
  const askedLife = lifeAhead(server, ready, intendedStep(ready));
  const askedKey = secrets.size === 0 ? undefined : server.keyAhead();
  const carried = server.isAnswered ? await carriage(bundle) : undefined;
  const pushed = carried === undefined ? await push(server, bundle) : undefined;
  if (pushed?.ok === false) return pushed;
  if (pushed) world.report({ type: 'bundle-pushed', ...pushed.value });
  const life = await askedLife();
  if (!life.ok) return life;
  const folder = join(world.cwd, keepsake);
  const { base: applied, expected: digest = '' } = life.value ?? {};
  const elsewhere = applied && (await knownElsewhere(server, ready.cluster, { applied, digest, folder }));
  const refused = elsewhere ?? refusalOf(ready, life.value);
  if (refused !== undefined) return failed(refused);
  const { tasks } = ready.steps;
  const plays = ready.steps.plays.length;
  const meta = await metaOf(ready, { ...ready.revision, plays, tasks }, world);
  const machines = heldMachines(ready.cluster);
  const outline = lengthsOf(ready.steps);
  const request = { bundle, playbook: `${playbook}.yml`, options, secrets, meta, outline, machines };
  const told = server.node === '' ? { messages } : {};
  const first = carried === undefined ? [] : [{ ...carried.request, operation: 'receive' }];
  const started = await start(server, { ...request, ...told, life: life.value, step, first }, askedKey);
  if (server.node !== '' && messages) world.report({ type: 'warning', text: untold });
  if (!started.ok) {
    server.forgetKey();
    return started;
  }
  for (const answer of started.value.first ?? [])
    if (carried) world.report({ type: 'bundle-pushed', ...carried.summary(answer) });
  for (const text of started.value.warnings) world.report({ type: 'warning', text });
  const { run } = started.value;
  world.report({ type: 'run-started', run, playbook, plays, tasks, check: options.check ?? false });
  const ended = await watch({ loaded: ready, server, run, from: 0, total: tasks }, world);
  if (life.value) await notePlans(ready, { run, before: life.value.base, folder });
  return ended;
}

const untold = 'over a mesh no messages are sent: their secrets would lie on the disks of its nodes';

const intendedStep = ({ playbook, targets, planned, options }: ReadyRun): IntendedStep => ({
  operation: playbook,
  targets,
  brings: planned?.brings ?? [],
  completes: planned?.completes ?? '',
  check: options.check ?? false,
  limit: options.limit ?? [],
  tagged: (options.tags ?? []).length + (options.skipTags ?? []).length > 0,
});

/** What the server numbers tasks by. */
export const lengthsOf = ({ plays }: Outline): readonly PlayLength[] =>
  plays.map(({ name, tasks, batches }) => ({ name, tasks: tasks.length, batches }));

/** Who asks for a run, and from what. */
export async function metaOf(
  { bundle }: RenderedBundle,
  known: Revision & Pick<RunMeta, 'plays' | 'tasks'>,
  world: World,
): Promise<RunMeta> {
  const manifest = JSON.parse(bundle.files.at(-1)?.text ?? '{}') as { readonly definition: string };
  return {
    operator: await operator(world.cwd),
    definitionDigest: manifest.definition,
    ...known,
    commandLine: world.commandLine,
  };
}
