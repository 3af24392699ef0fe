import { explainInMarkdown } from '../../generators/diff/diff.ts';
import type { Review, ReviewCheck } from '../../generators/report/review-page.ts';
import { render } from '../../generators/render.ts';
import { readTemplates } from '../../library/texts.ts';
import { explain, type Failure } from '../runtime/failures.ts';
import type { World } from '../runtime/world.ts';
import { renderBundle, type RenderedBundle } from '../steps/bundle/bundle.ts';
import { compare } from '../steps/bundle/write.ts';
import { clusterAt } from '../steps/definition/at-revision.ts';
import { lint } from './lint.ts';

export interface ReviewRequest {
  readonly file: string;
  readonly output: string;
  /** Git revision of the definition that the change is compared with. */
  readonly against: string;
  readonly lint: boolean;
  /** Characters that the difference may take. */
  readonly limit: number;
  /** Makes the plan; undefined: none is asked for. */
  readonly plan: PlanMaker | undefined;
}

/** Asks the Ansible server for the plan of a bundle. */
export type PlanMaker = (rendered: RenderedBundle) => Promise<PlanSeen>;

export interface PlanSeen {
  readonly markdown: string;
  /** Why there is no plan, or none that can be run. */
  readonly failure?: Failure;
}

/** What was found, with the first failure. */
export interface ReviewResult {
  readonly review: Review;
  readonly failure: Failure | undefined;
}

/** Looks at a change as a reviewer would: definition, bundle, lint, plan and difference. Nothing is written. */
export async function review(request: ReviewRequest, world: World): Promise<ReviewResult> {
  const said: string[] = [];
  const rendered = await renderBundle(request, listening(world, said));
  const definition = toCheck('definition', rendered.ok ? undefined : rendered.failure);
  if (!rendered.ok)
    return {
      review: { file: request.file, checks: [definition], plan: '', difference: '' },
      failure: rendered.failure,
    };
  const bundle = await unlike(rendered.value, request.file);
  const linted = request.lint ? await lint(rendered.value) : undefined;
  const plan = await request.plan?.(rendered.value);
  const room = request.limit - roomOfChecks - (plan?.markdown.length ?? 0);
  const { text, why } = await differenceOf(rendered.value, request, room);
  const checks = [
    { ...definition, said: said.join('\n') },
    toCheck('bundle', bundle),
    ...(request.lint ? [toCheck('ansible-lint', linted)] : []),
    ...(plan ? [toCheck('plan', plan.failure)] : []),
    { title: 'difference', outcome: why === '' ? 'passed' : 'skipped', said: why } as const,
  ];
  return {
    review: { file: request.file, checks, plan: plan?.markdown ?? '', difference: text },
    failure: bundle ?? linted ?? plan?.failure,
  };
}

/** Characters that are kept free for what the checks say. */
const roomOfChecks = 2000;

/** What is said of a definition without problems belongs on the page, too. */
const listening = (world: World, said: string[]): World => ({
  ...world,
  report: (event) => {
    if (event.type === 'warning') said.push(event.text);
    world.report(event);
  },
});

const toCheck = (title: string, failure: Failure | undefined): ReviewCheck =>
  failure === undefined
    ? { title, outcome: 'passed', said: '' }
    : { title, outcome: 'failed', said: explain(failure) };

/** Whether the folder of the bundle is what the definition renders to. */
async function unlike(
  { bundle, folder, shownFolder }: RenderedBundle,
  file: string,
): Promise<Failure | undefined> {
  const found = await compare(bundle, folder);
  if (!found.ok) return found.failure;
  const { diff } = found.value;
  return diff === ''
    ? undefined
    : { kind: 'drift', message: `${shownFolder} is not what ${file} renders to`, diff };
}

/** What was rendered before is no reason to refuse what is rendered now: `why` says that there is nothing to compare with. */
async function differenceOf(
  { cluster, bundle, file }: RenderedBundle,
  { against, file: shown }: ReviewRequest,
  room: number,
): Promise<{ readonly text: string; readonly why: string }> {
  const before = await clusterAt(against, file);
  if (!before.ok) return { text: '', why: explain(before.failure) };
  const old = render(before.value, readTemplates());
  const origins = { oldCluster: before.value, newCluster: cluster };
  const text = explainInMarkdown(old, bundle.files, origins, Math.max(room, 1000));
  return { text: text === '' ? `${shown} renders to the same as at ${against}.` : text, why: '' };
}
