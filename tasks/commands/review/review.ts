import process from 'node:process';
import { failed, ok } from '../../../generators/result.ts';
import { planInMarkdown } from '../../../generators/plan/markdown.ts';
import { reviewMark, reviewPage } from '../../../generators/report/review-page.ts';
import { overview, refusal } from '../../apply/overview.ts';
import { comment } from '../../review/comment.ts';
import { forgeOf } from '../../review/forge.ts';
import { review as reviewChange, type PlanSeen } from '../../review/review.ts';
import type { World } from '../../runtime/world.ts';
import type { RenderedBundle } from '../../steps/bundle/bundle.ts';
import { reach } from '../../steps/server/reach.ts';
import { fileOption, outputOption, task, wholeFrom } from '../../task.ts';

export const review = task({
  name: 'review',
  positionals: '',
  example: 'review --against origin/main --plan',
  options: {
    file: fileOption,
    output: outputOption,
    against: {
      type: 'string',
      default: 'HEAD^1',
      describe: 'Git revision of the definition to compare with; of a merge, the branch it goes to',
    },
    plan: { type: 'boolean', default: false, describe: 'Ask the Ansible server for the plan, too' },
    lint: {
      type: 'boolean',
      default: false,
      describe: 'Judge the playbooks by ansible-lint of this machine',
    },
    comment: {
      type: 'boolean',
      default: false,
      describe: 'Write it as a comment on the merge request of this pipeline (GitHub, GitLab)',
    },
    limit: {
      type: 'number',
      default: 60_000,
      coerce: wholeFrom(4000, 'limit'),
      describe: 'Characters a comment takes; longer differences are only named',
    },
  },
  run: async ({ file, output, against, plan, lint, comment: comments, limit }, world) => {
    const forge = comments ? await forgeOf(process.env) : undefined;
    if (forge?.ok === false) return forge;
    const maker = plan
      ? (rendered: RenderedBundle): Promise<PlanSeen> => planSeen(rendered, world)
      : undefined;
    const found = await reviewChange({ file, output, against, lint, limit, plan: maker }, world);
    const page = reviewPage(found.review, limit);
    world.print(world.json ? JSON.stringify({ type: 'review', ...found.review, page }) : page);
    const commented =
      forge === undefined ? ok(undefined) : await comment(forge.value, reviewMark(file), page);
    if (found.failure === undefined) return commented;
    if (!commented.ok) world.report({ type: 'failed', failure: commented.failure });
    return failed(found.failure);
  },
});

async function planSeen(rendered: RenderedBundle, world: World): Promise<PlanSeen> {
  const server = await reach(rendered);
  if (!server.ok) return { markdown: '', failure: server.failure };
  try {
    const seen = await overview(server.value, rendered, world);
    if (!seen.ok) return { markdown: '', failure: seen.failure };
    const failure = refusal(seen.value);
    return { markdown: planInMarkdown(seen.value.plan, seen.value.id), ...(failure && { failure }) };
  } finally {
    await server.value.close();
  }
}
