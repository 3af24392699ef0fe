import type { Cluster } from './cluster/cluster.ts';
import type { Fill } from './engine.ts';
import { kindOf } from './kinds/kinds.ts';
import { matching } from './outline/hosts.ts';
import { renderedFile, type Parameter, type Phase } from './phases/phase.ts';
import type { RenderedFile } from './rendered-file.ts';
import { renderOperation, type Operation } from './operations/operation.ts';
import { wholeCluster } from './operations/scope.ts';

/** A playbook of the bundle, as the manifest and the README tell it. */
export interface Playbook {
  readonly file: string;
  readonly what: string;
  readonly hosts: readonly string[];
  readonly tags: Phase['tags'];
  /** `operation`: imports others; `instantiate`, `part`: some of those; `asked`: run only by its own name. */
  readonly run: 'operation' | Phase['run'];
  readonly parameters: readonly Parameter[];
}

/** The phases that make sense for this cluster, in the order in which they are run. */
export const phasesOf = (cluster: Cluster): readonly Phase[] =>
  kindOf(cluster).phases.filter(({ applies }) => applies(cluster));

const operationsOf = (cluster: Cluster): readonly Operation[] =>
  kindOf(cluster).operations.filter(({ applies }) => applies(cluster));

const heldBy = (operation: Operation, cluster: Cluster): readonly Phase[] =>
  operation.parts(phasesOf(cluster));

/** The operation of that name, where the cluster has it. */
export const operationOf = (cluster: Cluster, name: string): Operation | undefined =>
  operationsOf(cluster).find((operation) => operation.name === name);

/** The playbook of each operation that this cluster has. */
export function operationFiles(cluster: Cluster, fill: Fill): readonly RenderedFile[] {
  const isScoped = hasScope(cluster);
  const partsOf = (operation: Operation) =>
    heldBy(operation, cluster).map(({ name, what, told }) => ({ name, what, told: told?.(cluster) }));
  return [
    ...guards(isScoped, fill),
    ...(isScoped ? [renderedFile('require-scope.yml', fill('operations/require-scope.yml.hbs', {}))] : []),
    ...operationsOf(cluster).map((each) => renderOperation(each, { parts: partsOf(each), isScoped }, fill)),
  ];
}

/** Playbooks that others import to begin with; none of them is anything to run. */
export const guardNames: readonly string[] = ['reach-hosts', 'claim-hosts', 'require-scope'];

/** What playbooks begin with: hosts of a cluster have an owner, and those of others only have to answer. */
const guards = (isOwned: boolean, fill: Fill): readonly RenderedFile[] =>
  ['reach-hosts', ...(isOwned ? ['claim-hosts'] : [])].map((name) =>
    renderedFile(`${name}.yml`, fill(`operations/${name}.yml.hbs`, { isOwned })),
  );

/** True where runs are about some machines of a cluster, as its control plane sees them. */
export const hasScope = (cluster: Cluster): boolean => wholeCluster(cluster).kubectl_host.length > 0;

/** The main playbook under the name that a person with nothing but Ansible looks for, where it has another. */
export function siteFile(cluster: Cluster, fill: Fill): readonly RenderedFile[] {
  const name = mainPlaybook(cluster);
  if (name === 'site') return [];
  const phases = [{ name, what: `Run the main playbook, ${name}`, told: [] }];
  return [renderedFile('site.yml', fill('operations/imports.yml.hbs', { about: [], phases }))];
}

/** Every playbook of the bundle: the operation first, then its phases in order, then those that are asked for. */
export function playbooks(cluster: Cluster): readonly Playbook[] {
  const groups = kindOf(cluster).groups(cluster);
  const parts = phasesOf(cluster).map(({ name, what, hosts, tags, run }) => ({
    file: `${name}.yml`,
    what,
    hosts: matching(groups, hosts),
    tags,
    run,
    parameters: parametersOf(cluster, name),
  }));
  const whole = operationsOf(cluster).map(({ name, summary }) => ({
    file: `${name}.yml`,
    what: summary,
    hosts: matching(groups, 'all'),
    tags: [],
    run: 'operation' as const,
    parameters: parametersOf(cluster, name),
  }));
  const having = (run: Phase['run']): readonly Playbook[] => parts.filter((part) => part.run === run);
  return [...whole, ...having('instantiate'), ...having('asked'), ...having('part')];
}

/** The variables that a run of a playbook may or must be told; its name is that of its file without `.yml`. */
export function parametersOf(cluster: Cluster, playbook: string): readonly Parameter[] {
  const operation = operationOf(cluster, playbook);
  const held = operation
    ? heldBy(operation, cluster)
    : phasesOf(cluster).filter(({ name }) => name === playbook);
  return held
    .flatMap(({ parameters }) => parameters)
    .filter(({ operations: meant }) => meant === undefined || meant.includes(playbook))
    .filter(({ applies }) => applies === undefined || applies(cluster))
    .map(({ applies: _applies, ...parameter }) => parameter);
}

/** The playbook that is run when none is named. */
export const mainPlaybook = (cluster: Cluster): string =>
  (operationsOf(cluster)[0] ?? phasesOf(cluster)[0])?.name ?? 'site';
