import { dirname, join } from 'node:path';
import { mainPlaybook, parametersOf } from '../generators/operations/playbooks.ts';
import type { Choice } from '../generators/operations/choose.ts';
import { cnfFaults, cnfsIn, isAboutCnfs } from '../generators/operations/cnf.ts';
import { scopeInventory, type Scope } from '../generators/operations/scope.ts';
import { outline, type Outline } from '../generators/outline.ts';
import { failed, ok, type Result } from '../generators/result.ts';
import type { Intended } from '../generators/plan/effect.ts';
import type { Step } from '../generators/plan/step.ts';
import { notePlans } from './report/plans.ts';
import type { RunMeta, RunOptions, RunStep } from './runtime/agent/messages.ts';
import type { Failure } from './runtime/failures.ts';
import { operator } from './runtime/operator.ts';
import { resolveSecrets } from './runtime/secrets/resolve.ts';
import type { SecretValues } from './runtime/secrets/secret.ts';
import type { Server } from './runtime/server.ts';
import type { World } from './runtime/world.ts';
import { renderBundle, type Place, type Rendered } from './steps/bundle.ts';
import { lifeOf } from './steps/life.ts';
import { push } from './steps/push.ts';
import { reach } from './steps/reach.ts';
import { review, type Revision } from './steps/review.ts';
import { aim } from './steps/scope.ts';
import type { Session } from './steps/session.ts';
import { sealingKey, start } from './steps/start.ts';
import { settle, type Variables } from './steps/variables.ts';
import { keepsake, watch } from './steps/watch.ts';

export interface RunRequest extends Place {
  /** Without `.yml`: an operation, or the name of a phase; empty: the operation that builds the cluster. */
  readonly playbook: string;
  readonly options: RunOptions;
  /** Variables of the playbook as typed: `variable=value`. */
  readonly given?: readonly string[];
  /** Machines that the operation is about: names, or labels of nodes; none: the whole cluster. */
  readonly targets?: readonly string[];
  /** A number of workers in their place. */
  readonly pick?: Pick<Choice, 'count' | 'policy'>;
  /** The control plane that shall speak for the cluster while its targets come and go. */
  readonly leader?: string;
  /** The name that confirms what cannot be undone. */
  readonly confirm?: string;
  /** Another way than the definition's own to where it runs. */
  readonly reach?: typeof reach;
}

/** The whole product on one screen: definition → bundle → reviewed → pushed → run → record. */
export async function perform(
  request: RunRequest,
  world: World,
  afterwards: Afterwards = () => Promise.resolve(ok(undefined)),
): Promise<Result<void, Failure>> {
  const rendered = await renderBundle(request, world);
  if (!rendered.ok) return rendered;
  const settled = await prepare(rendered.value, request, world);
  if (!settled.ok) return settled;
  const revision = await reviewed(rendered.value);
  if (!revision.ok) return revision;
  const prepared = ok({ ...settled.value, revision: revision.value });
  const secrets = await resolveSecrets(prepared.value.cluster.secrets, dirname(prepared.value.file));
  if (!secrets.ok) return secrets;
  const server = await (request.reach ?? reach)(prepared.value);
  if (!server.ok) return server;
  try {
    const ran = await runThere({ ...prepared.value, secrets: secrets.value, server: server.value }, world);
    return ran.ok ? await afterwards({ ...prepared.value, server: server.value }) : ran;
  } finally {
    await server.value.close();
  }
}

/** What is done on the same connection once the run has succeeded. */
export type Afterwards = (session: Session) => Promise<Result<void, Failure>>;

/** One run as it will be started. */
export interface Prepared extends Rendered {
  readonly playbook: string;
  readonly options: RunOptions;
  /** Machines, or CNFs, that the operation is about; empty: the whole cluster, or all of them. */
  readonly targets: readonly string[];
  readonly steps: Outline;
}

/** Everything about a run that can be refused without a connection. */
export async function prepare(
  rendered: Rendered,
  request: Omit<RunRequest, keyof Place>,
  world: World,
): Promise<Result<Prepared, Failure>> {
  const { cluster } = rendered;
  const playbook = request.playbook === '' ? mainPlaybook(cluster) : request.playbook;
  const { given = [], targets: words = [], pick = nobody, leader = '', confirm } = request;
  const scope = aim(cluster, { playbook, choice: { words, ...pick }, leader, options: request.options });
  if (!scope.ok) return scope;
  const unfit = cnfFaults(cluster, playbook, given);
  if (unfit.length > 0) return failed({ kind: 'usage', message: unfit.join('\n') });
  const steps = outlined(rendered, { playbook, options: { ...request.options, ...within(scope.value) } });
  if (!steps.ok) return steps;
  const parameters = parametersOf(cluster, playbook);
  const targets = isAboutCnfs(playbook) ? cnfsIn(playbook, given) : (scope.value?.targets ?? []);
  const asked = { cluster: cluster.name, targets, playbook, parameters, given, confirm };
  const variables = await settle(asked, world);
  if (!variables.ok) return variables;
  const options = { ...request.options, ...within(scope.value), ...withVariables(variables.value) };
  return ok({ ...rendered, playbook, options, targets, steps: steps.value });
}

/** The commit of a bundle that is a fresh render, and reviewed where the definition asks for that. */
export const reviewed = ({ cluster, bundle, folder, file }: Rendered): Promise<Result<Revision, Failure>> =>
  review(bundle, { folder, definition: file, required: cluster.review === 'required' });

const nobody = { count: 0, policy: 'newest' } as const;

const within = (scope: Scope | undefined): Pick<RunOptions, 'scope'> =>
  scope === undefined ? {} : { scope };

const withVariables = (variables: Variables): Pick<RunOptions, 'variables'> =>
  Object.keys(variables).length === 0 ? {} : { variables };

/** What a run needs besides itself. */
export interface Ready extends Prepared {
  readonly revision: Revision;
  readonly secrets: SecretValues;
  readonly server: Server;
  /** The step of an apply that it is, and what the plan expects of it. */
  readonly step?: RunStep;
  readonly planned?: Pick<Step, 'brings' | 'completes'>;
}

/** Pushes, starts and follows a run to its end. */
export async function runThere(ready: Ready, world: World): Promise<Result<void, Failure>> {
  const { server, bundle, playbook, options, secrets, step } = ready;
  const askedLife = server.ahead(() => lifeOf(server, ready, intended(ready)));
  const askedKey = secrets.size === 0 ? undefined : server.ahead(() => sealingKey(server));
  const pushed = await push(server, bundle);
  if (!pushed.ok) return pushed;
  world.report({ type: 'bundle-pushed', ...pushed.value });
  const life = await askedLife();
  if (!life.ok) return life;
  const plays = ready.steps.plays.length;
  const { tasks } = ready.steps;
  const meta = await metaOf(ready, { ...ready.revision, plays, tasks }, world);
  const request = { bundle, playbook: `${playbook}.yml`, options, secrets, meta, life: life.value, step };
  const started = await start(server, request, askedKey);
  if (!started.ok) return started;
  for (const text of started.value.warnings) world.report({ type: 'warning', text });
  const { run } = started.value;
  world.report({ type: 'run-started', run, playbook, plays, tasks, check: options.check ?? false });
  const ended = await watch({ loaded: ready, server, run, from: 0, total: tasks }, world);
  if (life.value) await notePlans(ready, { run, before: life.value.base, folder: join(world.cwd, keepsake) });
  return ended;
}

const intended = ({ playbook, targets, planned, options }: Ready): Intended => ({
  operation: playbook,
  targets,
  brings: planned?.brings ?? [],
  completes: planned?.completes ?? '',
  check: options.check ?? false,
  limit: options.limit ?? [],
  tagged: (options.tags ?? []).length + (options.skipTags ?? []).length > 0,
});

/** What the run will do; a playbook that the bundle lacks is a fault of the command line. */
function outlined(
  { bundle, cluster }: Rendered,
  { playbook, options }: Pick<RunRequest, 'playbook' | 'options'>,
): Result<Outline, Failure> {
  const known = bundle.files.flatMap(({ path }) => /^([\w-]+)\.yml$/.exec(path)?.[1] ?? []);
  if (!known.includes(playbook))
    return failed({
      kind: 'usage',
      message: `the bundle has no playbook ${playbook}; it has ${known.join(', ')}`,
    });
  const { tags = [], skipTags = [], limit, scope } = options;
  const steps = outline(bundle.files, `${playbook}.yml`, {
    tags,
    skipTags,
    ...(limit ? { limit: limit.join(',') } : {}),
    ...(scope ? { scope: scopeInventory(cluster.name, scope).text } : {}),
  });
  return steps.plays.some(({ hosts }) => hosts.length > 0)
    ? ok(steps)
    : failed({
        kind: 'usage',
        message: `--limit ${limit?.join(',') ?? ''} matches no host of ${playbook}.yml`,
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
