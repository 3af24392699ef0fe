import { dirname } from 'node:path';
import { outline, type Outline } from '../generators/outline.ts';
import { failed, ok, type Result } from '../generators/result.ts';
import type { RunMeta, RunOptions } from './runtime/agent/messages.ts';
import type { Failure } from './runtime/failures.ts';
import { operator } from './runtime/operator.ts';
import { resolveSecrets } from './runtime/secrets/resolve.ts';
import type { World } from './runtime/world.ts';
import { renderBundle, type Place, type Rendered } from './steps/bundle.ts';
import { push } from './steps/push.ts';
import { reach } from './steps/reach.ts';
import { review, type Revision } from './steps/review.ts';
import { start } from './steps/start.ts';
import { watch } from './steps/watch.ts';

export interface RunRequest extends Place {
  /** Without `.yml`: `site`, or the name of a phase. */
  readonly playbook: string;
  readonly options: RunOptions;
}

/** The whole product on one screen: definition → bundle → reviewed → pushed → run → record. */
export async function perform(request: RunRequest, world: World): Promise<Result<void, Failure>> {
  const rendered = await renderBundle(request, world);
  if (!rendered.ok) return rendered;
  const { cluster, bundle, folder, file } = rendered.value;
  const steps = outlined(rendered.value, request);
  if (!steps.ok) return steps;
  const revision = await review(bundle, {
    folder,
    definition: file,
    required: cluster.review === 'required',
  });
  if (!revision.ok) return revision;
  const secrets = await resolveSecrets(cluster.secrets, dirname(file));
  if (!secrets.ok) return secrets;

  const server = await reach(rendered.value);
  if (!server.ok) return server;
  try {
    const pushed = await push(server.value, bundle);
    if (!pushed.ok) return pushed;
    world.report({ type: 'bundle-pushed', ...pushed.value });
    const {
      tasks,
      plays: { length: plays },
    } = steps.value;
    const meta = await metaOf(rendered.value, { ...revision.value, plays, tasks }, world);
    const { playbook, options } = request;
    const started = await start(server.value, {
      bundle,
      playbook: `${playbook}.yml`,
      options,
      secrets: secrets.value,
      meta,
    });
    if (!started.ok) return started;
    for (const text of started.value.warnings) world.report({ type: 'warning', text });
    const { run } = started.value;
    world.report({ type: 'run-started', run, playbook, plays, tasks, check: options.check ?? false });
    return await watch({ loaded: rendered.value, server: server.value, run, from: 0, total: tasks }, world);
  } finally {
    await server.value.close();
  }
}

/** What the run will do; a playbook that the bundle lacks is a fault of the command line. */
function outlined({ bundle }: Rendered, { playbook, options }: RunRequest): Result<Outline, Failure> {
  const known = bundle.files.flatMap(({ path }) => /^([\w-]+)\.yml$/.exec(path)?.[1] ?? []);
  if (!known.includes(playbook))
    return failed({
      kind: 'usage',
      message: `the bundle has no playbook ${playbook}; it has ${known.join(', ')}`,
    });
  const { tags = [], skipTags = [], limit } = options;
  const steps = outline(bundle.files, `${playbook}.yml`, {
    tags,
    skipTags,
    ...(limit ? { limit: limit.join(',') } : {}),
  });
  return steps.plays.some(({ hosts }) => hosts.length > 0)
    ? ok(steps)
    : failed({
        kind: 'usage',
        message: `--limit ${limit?.join(',') ?? ''} leaves no host of ${playbook}.yml`,
      });
}

async function metaOf(
  { bundle }: Rendered,
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
