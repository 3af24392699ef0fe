import { join } from 'node:path';
import { waiting, type Journal } from '../../../generators/plan/journal.ts';
import {
  offersFor,
  withConfirmation,
  type ResumeChoice,
  type Offer,
} from '../../../generators/plan/resume.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import { confirmOption, yesOption } from './apply.ts';
import { requireConsent, type Agreement } from '../../apply/confirm.ts';
import { giveUp, runSteps, type Course } from '../../apply/steps.ts';
import { openJournal, stoppedRun, type StoppedRun } from '../../apply/stopped.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { World } from '../../runtime/world.ts';
import { renderBundle, type DefinitionPlace } from '../../steps/bundle/bundle.ts';
import { readLife } from '../../steps/state/life.ts';
import { reach } from '../../steps/server/reach.ts';
import { keepsake } from '../../steps/run/watch.ts';
import { requireReview } from '../../steps/bundle/review.ts';
import { fileOption, outputOption, setOption, task } from '../../task.ts';

const choices = ['retry', 'roll-back', 'fail'] as const;

export const resume = task({
  name: 'resume',
  positionals: '[how]',
  example: 'resume retry',
  options: {
    file: fileOption,
    output: outputOption,
    how: { type: 'string', choices, describe: 'How to continue; asked for on a terminal when left out' },
    yes: yesOption,
    confirm: confirmOption,
    set: setOption,
  },
  run: ({ file, output, how, yes, confirm, set }, world) =>
    resumeRun({ file, output, how, yes, confirm, set }, world),
});

interface Request extends DefinitionPlace, Agreement {
  readonly how: ResumeChoice | undefined;
  readonly set: readonly string[];
}

async function resumeRun(request: Request, world: World): Promise<Result<void, Failure>> {
  const rendered = await renderBundle(request, world);
  if (!rendered.ok) return rendered;
  const revision = await requireReview(rendered.value);
  if (!revision.ok) return revision;
  const server = await reach(rendered.value);
  if (!server.ok) return server;
  try {
    const { name } = rendered.value.cluster;
    const life = await readLife(server.value, name);
    if (!life.ok) return life;
    const journal = openJournal(life.value, name);
    if (journal === undefined) return failed(nothingOpen(name));
    const place = {
      rendered: rendered.value,
      revision: revision.value,
      server: server.value,
      life: life.value,
    };
    const course = { ...place, journal, insteadOf: life.value.journal?.fence ?? '', given: request.set };
    return await goOn({ ...course, options: {}, end: 'done' }, request, world);
  } finally {
    await server.value.close();
  }
}

async function goOn(course: Course, request: Request, world: World): Promise<Result<void, Failure>> {
  const { server, journal, rendered } = course;
  const open = journal.steps.find(({ state }) => state !== 'done');
  const folder = join(world.cwd, keepsake);
  const stopped = await stoppedRun(server, { cluster: journal.cluster, run: open?.run ?? '', folder });
  if (!stopped.ok) return stopped;
  const offers = offersFor(journal, stopped.value, rendered.bundle.files).map((each) => ({
    ...each,
    steps: each.steps.map((step) => withConfirmation(step, rendered.cluster)),
  }));
  world.print(world.json ? JSON.stringify({ type: 'resume', journal, offers }) : text(journal, offers));
  const offer = await chosen(offers, request.how, world);
  if (!offer.ok) return offer;
  const agreed = await requireConsent(offer.value.steps, request, world);
  if (!agreed.ok) return agreed;
  if (offer.value.choice === 'fail') return giveUp(course, world);
  const again = { ...course, ...asBefore(stopped.value, course.given) };
  return runSteps(continueCourse(again, offer.value), world);
}

/** What the run was told is told again, but for the name that confirms what is lost. */
function asBefore({ options }: StoppedRun, given: readonly string[]): Pick<Course, 'options' | 'given'> {
  const { limit, tags, skipTags, variables = {} } = options;
  const told = Object.entries(variables)
    .filter(([name]) => !name.endsWith('_confirm') && !given.some((pair) => pair.startsWith(`${name}=`)))
    .map(([name, value]) => `${name}=${value}`);
  const part = { ...(limit && { limit }), ...(tags && { tags }), ...(skipTags && { skipTags }) };
  return { options: part, given: [...given, ...told] };
}

/** What is done stays in the journal; what a person chose follows it. */
function continueCourse(course: Course, { choice, steps }: Offer): Course {
  const { journal, rendered, life } = course;
  const bundles = { before: life.applied.whole?.bundle ?? '', after: rendered.bundle.digest };
  const done = journal.steps.filter(({ state }) => state === 'done');
  const started = journal.started === '' ? new Date().toISOString() : journal.started;
  const next = { ...journal, started, steps: [...done, ...plannedSteps(steps, journal, bundles)] };
  return { ...course, journal: next, end: choice === 'roll-back' ? 'rolled-back' : 'done' };
}

/** A step that was planned for another bundle than the definition gives now is refused before it runs. */
function plannedSteps(
  steps: Offer['steps'],
  journal: Journal,
  bundles: Parameters<typeof waiting>[1],
): Journal['steps'] {
  const known = new Map(journal.steps.map(({ from, bundle }) => [from, bundle]));
  return waiting(steps, {
    before: known.get('applied') ?? bundles.before,
    after: known.get('wanted') ?? bundles.after,
  });
}

function text({ steps }: Journal, offers: readonly Offer[]): string {
  const states = steps.map(
    ({ operation, targets, state, run }) =>
      `  ${state.padEnd('waiting'.length)}  ${[operation, ...targets].join(' ')}${run === '' ? '' : `  (${run})`}`,
  );
  const ways = offers.map(
    ({ choice, says, impossible }) =>
      `  ${choice.padEnd('roll-back'.length)}  ${impossible === '' ? says : `not here: ${impossible}`}`,
  );
  return ['What was begun:', ...states, 'Ways to go on:', ...ways].join('\n');
}

async function chosen(
  offers: readonly Offer[],
  how: ResumeChoice | undefined,
  world: World,
): Promise<Result<Offer, Failure>> {
  const said = how ?? (await world.ask('retry, roll-back or fail? '))?.trim();
  const offer = offers.find(({ choice }) => choice === said);
  if (offer === undefined)
    return failed({
      kind: 'usage',
      message: 'nobody chose how to continue; nothing was run',
      next: 'npx task resume retry',
    });
  return offer.impossible === ''
    ? ok(offer)
    : failed({ kind: 'usage', message: `${offer.choice}: ${offer.impossible}; nothing was run` });
}

const nothingOpen = (cluster: string): Failure => ({
  kind: 'run',
  message: `nothing of ${cluster} can be resumed: its last run is complete`,
  next: '`npx task plan` shows what there is to do',
});
