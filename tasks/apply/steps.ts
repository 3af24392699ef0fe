import { randomBytes } from 'node:crypto';
import { pack } from '../../generators/bundle.ts';
import type { Cluster } from '../../generators/cluster/cluster.ts';
import { isControlPlane } from '../../generators/cluster/roles.ts';
import { cnfVariables, isAboutCnfs } from '../../generators/operations/cnf.ts';
import { parametersOf } from '../../generators/playbooks.ts';
import { render } from '../../generators/render.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Journal, JournalStep } from '../../generators/plan/journal.ts';
import { lastingHeads } from '../../generators/plan/machines.ts';
import { titleOf } from '../../generators/plan/words.ts';
import { readTemplates } from '../../library/texts.ts';
import type { RunOptions } from '../runtime/agent/run-records.ts';
import type { Failure } from '../runtime/failures.ts';
import { operator } from '../runtime/operator.ts';
import type { SecretValues } from '../runtime/secrets/secret.ts';
import type { Server } from '../runtime/server.ts';
import type { World } from '../runtime/world.ts';
import type { RenderedBundle } from '../steps/bundle/bundle.ts';
import type { Life } from '../steps/state/life.ts';
import { execute } from '../steps/run/execute.ts';
import { heldMachines } from '../steps/run/lock.ts';
import { runSecrets } from '../steps/run/messages.ts';
import { prepare, type PreparedRun } from '../steps/run/prepare.ts';
import type { Revision } from '../steps/bundle/review.ts';

export interface Course {
  readonly server: Server;
  readonly rendered: RenderedBundle;
  readonly revision: Revision;
  readonly journal: Journal;
  readonly life: Life;
  /** Fence of the apply that is taken up again, or empty. */
  readonly insteadOf: string;
  /** What `--set` said, for the steps that take it. */
  readonly given: readonly string[];
  /** What the run that is taken up was limited to. */
  readonly options: RunOptions;
  /** What the journal says once every step has succeeded. */
  readonly end: 'done' | 'rolled-back';
}

interface StepRun {
  readonly step: JournalStep;
  readonly index: number;
  readonly prepared: PreparedRun;
  readonly secrets: SecretValues;
}

/** Runs the steps of a journal in their order, all under one lock; ends at the first that does not succeed. */
export async function runSteps(course: Course, world: World): Promise<Result<void, Failure>> {
  const ready = await readySteps(course, world);
  if (!ready.ok) return ready;
  const { server } = course;
  const clusters = [course.rendered, ...ready.value.map(({ prepared }) => prepared)];
  const begun = await begin(course, clusters, world);
  if (!begun.ok) return begun;
  const holding = begun.value;
  const { fence } = holding;
  const ran = await inOrder(ready.value, { course, fence }, world);
  // Left, or lost: the lock stays with the apply, for whoever takes it up.
  if (!ran.ok && (ran.failure.kind === 'left' || ran.failure.kind === 'connection')) return ran;
  const ended = await server.agent().ask('end-apply', { ...holding, state: ran.ok ? course.end : 'open' });
  if (!ran.ok) return failed(withResume(ran.failure));
  return ended.ok ? ok(undefined) : ended;
}

/** Runs nothing: the journal says that it failed, and the lock is free. */
export async function giveUp(course: Course, world: World): Promise<Result<void, Failure>> {
  if (course.life.journal?.state !== 'open') return ok(undefined);
  const begun = await begin(course, [course.rendered], world);
  if (!begun.ok) return begun;
  const ended = await course.server.agent().ask('end-apply', { ...begun.value, state: 'failed' });
  return ended.ok ? ok(undefined) : ended;
}

interface HeldLock {
  readonly cluster: string;
  readonly fence: string;
}

/** Takes the lock for all steps together, with the machines of each, and writes the journal. */
async function begin(
  { server, journal, life, insteadOf }: Course,
  bundles: readonly Pick<RenderedBundle, 'cluster'>[],
  world: World,
): Promise<Result<HeldLock, Failure>> {
  const holding = { cluster: journal.cluster, fence: randomBytes(8).toString('hex') };
  const begun = await server.agent().ask('begin-apply', {
    ...holding,
    who: await operator(world.cwd),
    what: `apply (plan ${journal.plan.slice(0, 12)})`,
    expected: life.digest,
    journal,
    machines: bundles.flatMap(({ cluster }) => heldMachines(cluster)),
    insteadOf,
  });
  return begun.ok ? ok(holding) : begun;
}

async function inOrder(
  steps: readonly StepRun[],
  { course: { server, revision }, fence }: { readonly course: Course; readonly fence: string },
  world: World,
): Promise<Result<void, Failure>> {
  for (const { step, index, prepared, secrets } of steps) {
    world.report({ type: 'note', text: `step ${index + 1}: ${titleOf(step)}` });
    const options = { ...prepared, server, revision, secrets, step: { fence, index }, planned: step };
    const ran = await execute(options, world);
    if (!ran.ok && (step.required || ran.failure.kind !== 'playbook')) return ran;
    if (!ran.ok) world.report({ type: 'warning', text: `${ran.failure.message}; the next step may fix it` });
  }
  return ok(undefined);
}

/** Whatever can be refused is refused before the first step runs. */
async function readySteps(course: Course, world: World): Promise<Result<readonly StepRun[], Failure>> {
  const ready: StepRun[] = [];
  const needless = course.given.filter(
    (pair) => !course.journal.steps.some((step) => takes(step, pair, course)),
  );
  if (needless.length > 0) return failed(unusedVariables(needless));
  for (const [index, step] of course.journal.steps.entries()) {
    if (step.state === 'done') continue;
    const from = await sourceOf(step, course);
    if (!from.ok) return from;
    const prepared = await prepare(from.value, requestOf(step, course, from.value.cluster), world);
    if (!prepared.ok) return prepared;
    const secrets = await runSecrets(prepared.value);
    if (!secrets.ok) return secrets;
    ready.push({ step, index, prepared: prepared.value, secrets: secrets.value });
  }
  return ok(ready);
}

/** Who agreed to the plan agreed to its steps by their names. What a run was told that is taken up says the same of CNFs. */
export function requestOf(
  step: JournalStep,
  course: Pick<Course, 'rendered' | 'life' | 'given' | 'options'>,
  cluster: Cluster,
): Parameters<typeof prepare>[1] {
  const { operation, targets, danger, confirm } = step;
  const own = isAboutCnfs(operation) ? cnfVariables(operation, targets, danger !== 'none') : [];
  return {
    playbook: operation,
    ...(isAboutCnfs(operation) || targets.length === 0
      ? {}
      : { targets, leader: leaderFor(step, course, cluster) }),
    options: step.required ? course.options : {},
    given: [...own, ...course.given.filter((pair) => takes(step, pair, course) && !own.includes(pair))],
    ...(confirm === '' ? {} : { confirm }),
  };
}

/** The first control plane of its bundle may have left by the step before; empty: whoever is the first. */
function leaderFor(
  { targets }: JournalStep,
  { rendered, life }: Pick<Course, 'rendered' | 'life'>,
  { machines }: Cluster,
): string {
  const known = machines.filter(isControlPlane).map(({ name }) => name);
  const lasting = lastingHeads(life.applied, rendered).map(({ name }) => name);
  return lasting.find((name) => known.includes(name) && !targets.includes(name)) ?? '';
}

const takes = (
  { operation }: JournalStep,
  pair: string,
  { rendered: { cluster } }: Pick<Course, 'rendered'>,
): boolean => parametersOf(cluster, operation).some(({ variable }) => pair.startsWith(`${variable}=`));

const unusedVariables = (pairs: readonly string[]): Failure => ({
  kind: 'usage',
  message: `--set ${pairs.join(', ')}: no step of this plan takes it; nothing was run`,
});

/** The bundle of a step: the one that is wanted, or the one that was applied last and lies on the server still. */
async function sourceOf(
  { from, bundle, operation }: JournalStep,
  { rendered, life, server }: Course,
): Promise<Result<RenderedBundle, Failure>> {
  if (from === 'wanted')
    return bundle === rendered.bundle.digest ? ok(rendered) : failed(otherBundle(operation));
  const whole = life.applied.whole;
  if (whole?.bundle !== bundle) return failed(otherBundle(operation));
  // What newer definitions have beside, the older one had not: it says nothing about it.
  const cluster: Cluster = { ...rendered.cluster, ...whole.cluster };
  const packed = pack(cluster, render(cluster, readTemplates()));
  const old = { ...rendered, cluster, made: whole.made, bundle: { ...packed, digest: bundle } };
  if (packed.digest === bundle) return ok(old);
  const found = await server.agent().ask('stat-bundle', { cluster: cluster.name, digest: bundle });
  if (!found.ok) return found;
  return found.value.there ? ok(old) : failed(bundleGone(bundle, server.name));
}

const otherBundle = (operation: string): Failure => ({
  kind: 'stale',
  message: `${operation} was planned for another bundle than the definition renders to now; nothing was run`,
  next: 'Read the plan again: npx task plan',
});

const bundleGone = (bundle: string, server: string): Failure => ({
  kind: 'stale',
  message: `the bundle ${bundle.slice(0, 12)}, which was applied last, is no longer on ${server}, and this Playsmith renders another one`,
  next: 'Restore the old definition, run npx task push, then change it again',
});

const withResume = (failure: Failure): Failure =>
  'next' in failure && failure.kind !== 'locked' && failure.kind !== 'stale'
    ? { ...failure, next: `${failure.next ?? ''}; npx task resume continues from here` }
    : failure;
