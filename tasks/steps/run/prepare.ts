import type { TargetChoice } from '../../../generators/operations/choose.ts';
import { isExtraPlaybook } from '../../../generators/cluster/extra-playbooks.ts';
import { cnfProblems, cnfsIn, isAboutCnfs } from '../../../generators/operations/cnf.ts';
import { scopeGroups, scopeInventory, type Scope } from '../../../generators/operations/scope.ts';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { kindOf } from '../../../generators/kinds/kinds.ts';
import { outline, unknownTags, type Outline, type PlayOutline } from '../../../generators/outline/outline.ts';
import { unnamedFiles } from '../../../generators/phases/kubespray/guards.ts';
import { reachedGroup } from '../../../generators/phases/groups.ts';
import { nearest } from '../../../generators/source/nearest.ts';
import { guardNames, mainPlaybook, parametersOf } from '../../../generators/playbooks.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { RunOptions } from '../../runtime/agent/run-records.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { World } from '../../runtime/world.ts';
import type { DefinitionPlace, RenderedBundle } from '../bundle/bundle.ts';
import type { reach } from '../server/reach.ts';
import { aim } from './scope.ts';
import { settle, type RunVariables } from './variables.ts';

export interface RunRequest extends DefinitionPlace {
  /** Without `.yml`: an operation, or the name of a phase; empty: the operation that builds the cluster. */
  readonly playbook: string;
  readonly options: RunOptions;
  /** Variables of the playbook as typed: `variable=value`. */
  readonly given?: readonly string[];
  /** Machines that the operation is about: names, or labels of nodes; none: the whole cluster. */
  readonly targets?: readonly string[];
  /** A number of workers in their place. */
  readonly pick?: Pick<TargetChoice, 'count' | 'policy'>;
  /** The control plane that shall speak for the cluster while its targets come and go. */
  readonly leader?: string;
  /** The name that confirms what cannot be undone. */
  readonly confirm?: string;
  /** Another way than the definition's own to where it runs. */
  readonly reach?: typeof reach;
}

/** One run as it will be started. */
export interface PreparedRun extends RenderedBundle {
  readonly playbook: string;
  readonly options: RunOptions;
  /** Machines, or CNFs, that the operation is about; empty: the whole cluster, or all of them. */
  readonly targets: readonly string[];
  readonly steps: Outline;
  /** The name that confirms what cannot be undone, or empty. */
  readonly confirmed: string;
}

/** Everything about a run that can be refused without a connection. */
export async function prepare(
  rendered: RenderedBundle,
  request: Omit<RunRequest, keyof DefinitionPlace>,
  world: World,
): Promise<Result<PreparedRun, Failure>> {
  const { cluster } = rendered;
  const playbook = ['', 'site'].includes(request.playbook) ? mainPlaybook(cluster) : request.playbook;
  const { given = [], targets: words = [], pick = nobody, leader = '', confirm } = request;
  const scope = aim(cluster, { playbook, choice: { words, ...pick }, leader, options: request.options });
  if (!scope.ok) return scope;
  const unfit = cnfProblems(cluster, playbook, given);
  if (unfit.length > 0) return failed({ kind: 'usage', message: unfit.join('\n') });
  const steps = withOutline(rendered, { playbook, options: { ...request.options, ...within(scope.value) } });
  if (!steps.ok) return steps;
  const unnamed = steps.value.plays.some(callsKubespray) ? unnamedFiles(cluster) : '';
  if (unnamed !== '')
    return failed({
      kind: 'usage',
      message: unnamed,
      next: 'Give installer.kubespray.commit: git rev-parse HEAD in a checkout that you looked at',
    });
  const parameters = parametersOf(cluster, playbook);
  const targets = isAboutCnfs(playbook) ? cnfsIn(playbook, given) : (scope.value?.targets ?? []);
  const asked = { cluster: cluster.name, targets, playbook, parameters, given, confirm };
  const variables = await settle(asked, world);
  if (!variables.ok) return variables;
  const options = { ...request.options, ...within(scope.value), ...withVariables(variables.value) };
  const confirmed = confirm ?? '';
  return ok({ ...rendered, playbook, options, targets, steps: steps.value, confirmed });
}

const callsKubespray = ({ tasks }: PlayOutline): boolean =>
  tasks.some(({ name }) => name.includes('.yml of kubespray'));

/** What the run will do; a playbook that the bundle lacks is a fault of the command line. */
function withOutline(
  { bundle, cluster }: RenderedBundle,
  { playbook, options }: Pick<RunRequest, 'playbook' | 'options'>,
): Result<Outline, Failure> {
  const files = bundle.files.flatMap(({ path }) => /^([\w-]+)\.yml$/.exec(path)?.[1] ?? []);
  const known = files.filter((name) => !guardNames.includes(name));
  if (!known.includes(playbook))
    return failed({
      kind: 'usage',
      message: `the bundle has no playbook ${playbook}; it has ${known.join(', ')}`,
      ...(playbook.startsWith('drill-')
        ? { next: 'Drills are in it where the definition has `drills: {}`' }
        : {}),
      ...(playbook === 'patch'
        ? { next: 'It is in it where the definition has `patch: { packages: … }`' }
        : {}),
      ...(isExtraPlaybook(playbook)
        ? {
            next: `It is in it where the definition has \`extraPlaybooks: [${playbook}]\`; render and review it`,
          }
        : {}),
    });
  const { tags = [], skipTags = [], limit, scope } = options;
  const steps = outline(bundle.files, `${playbook}.yml`, {
    tags,
    skipTags,
    ...(limit ? { limit: limit.join(',') } : {}),
    ...(scope ? { scope: scopeInventory(cluster.name, scope).text } : {}),
  });
  if (!steps.plays.some(({ hosts }) => hosts.length > 0))
    return failed({
      kind: 'usage',
      message: `--limit ${limit?.join(',') ?? ''} leaves no host of ${playbook}.yml`,
    });
  const strangers = [
    ...strangersIn(cluster, limit ?? []),
    ...unknownTags(bundle.files, `${playbook}.yml`, [...tags, ...skipTags]).map(
      (tag) => `no task of ${playbook}.yml has the tag ${tag}; the README of the bundle lists them`,
    ),
  ];
  return strangers.length === 0 ? ok(steps) : failed({ kind: 'usage', message: strangers.join('\n') });
}

/** Plain words of a limit that Ansible would pass over in silence: it knows neither such a host nor such a group. */
function strangersIn(cluster: Cluster, limit: readonly string[]): readonly string[] {
  const names = cluster.machines.map(({ name }) => name);
  const groups = kindOf(cluster).groups(cluster);
  const known = new Set([...names, ...groups.keys(), ...[...groups.values()].flat(), ...ownGroups]);
  return limit
    .filter((word) => /^[a-z][\w-]*$/.test(word) && !known.has(word))
    .map((word) => {
      const meant = nearest(word, names);
      return `${word} is no machine and no group${meant === undefined ? '' : `; is it ${meant}?`}`;
    });
}

const ownGroups: readonly string[] = [...scopeGroups, ...Object.keys(reachedGroup), 'ungrouped', 'localhost'];

const nobody = { count: 0, policy: 'newest' } as const;

const within = (scope: Scope | undefined): Pick<RunOptions, 'scope'> =>
  scope === undefined ? {} : { scope };

const withVariables = (variables: RunVariables): Pick<RunOptions, 'variables'> =>
  Object.keys(variables).length === 0 ? {} : { variables };
