import type { Cluster, Machine } from '../cluster/cluster.ts';
import { dataFile, type Data } from '../data-file.ts';
import { scopePath } from '../outline/scope-path.ts';
import { nearest } from '../source/nearest.ts';
import { kubesprayGuards } from '../phases/kubespray/guards.ts';
import type { RenderedFile } from '../rendered-file.ts';
import { failed, ok, type Result } from '../result.ts';
import type { Operation } from './operation.ts';
import { isControlPlane } from '../cluster/roles.ts';

/**
 * Which machines a run is about: groups of the inventory that the playbooks name, so that what they do to whom is in the
 * bundle, and only who is meant is in the run. Names in the order of the cluster's machines.
 */
export interface Scope {
  /** What the operation was asked to be about; none: the whole cluster. */
  readonly targets: readonly string[];
  /** With targets: every other machine. What prepares a node leaves them alone. */
  readonly others: readonly string[];
  /** Those of the others that what happens to a control plane and its balancers does not concern either. */
  readonly unaffected: readonly string[];
  /** Those of the targets that are no part of the cluster afterwards. */
  readonly leaving: readonly string[];
  /** Machines that a run leaves alone because they are sick already; it finds them itself. */
  readonly skipped: readonly string[];
  /** One control plane that is no target and speaks for the cluster; empty where there is none. */
  readonly kubectl_host: readonly string[];
}

const controlPlanesOf = ({ machines }: Cluster): readonly Machine[] => machines.filter(isControlPlane);

/** The scope of a run that is about the whole cluster: what the bundle says when a run says nothing. */
export const wholeCluster = (cluster: Cluster): Scope => ({
  targets: [],
  others: [],
  unaffected: [],
  leaving: [],
  skipped: [],
  kubectl_host: controlPlanesOf(cluster)
    .slice(0, 1)
    .map(({ name }) => name),
});

export interface OperationAim {
  readonly operation: Operation;
  readonly targets: readonly string[];
  /** The control plane that shall speak for the cluster; empty: the first that is no target. */
  readonly leader?: string;
}

/** The scope of an operation, or every reason why it cannot be about those machines: one sentence each. */
export function scopeOf(cluster: Cluster, aim: OperationAim): Result<Scope, readonly string[]> {
  const reasons = [
    ...targetProblems(cluster, aim),
    ...unfit(cluster, aim),
    ...leaderProblems(cluster, aim),
    ...guardProblems(cluster, aim),
  ];
  return reasons.length > 0 ? failed(reasons) : ok(settleScope(cluster, aim));
}

const guardProblems = (cluster: Cluster, { operation, targets }: OperationAim): readonly string[] =>
  kubesprayGuards(cluster, operation.name, targets);

function settleScope(cluster: Cluster, { operation, targets, leader = '' }: OperationAim): Scope {
  if (targets.length === 0) return wholeCluster(cluster);
  const inOrder = cluster.machines.map(({ name }) => name);
  const meant = inOrder.filter((name) => targets.includes(name));
  const others = inOrder.filter((name) => !targets.includes(name));
  const controlPlanes = controlPlanesOf(cluster).map(({ name }) => name);
  return {
    targets: meant,
    others,
    unaffected: meant.some((name) => controlPlanes.includes(name)) ? [] : others,
    leaving: operation.targets.leave ? meant : [],
    skipped: [],
    kubectl_host: [leader, ...controlPlanes.filter((name) => !targets.includes(name))]
      .filter((name) => name !== '')
      .slice(0, 1),
  };
}

/** Names that are none, or are given twice. */
function targetProblems({ machines }: Cluster, { targets }: OperationAim): readonly string[] {
  const known = machines.map(({ name }) => name);
  const repeated = targets.filter((name, index) => targets.indexOf(name) !== index);
  return [
    ...targets
      .filter((name) => !known.includes(name))
      .map((name) => {
        const meant = nearest(name, known);
        return `${name} is no machine of the cluster${meant === undefined ? '' : `; is it ${meant}?`}`;
      }),
    ...[...new Set(repeated)].map((name) => `${name} is named twice`),
  ];
}

/** What the operation cannot be about. */
function unfit(cluster: Cluster, { operation, targets }: OperationAim): readonly string[] {
  const { name: asked, targets: wanted } = operation;
  const machines = cluster.machines.filter(({ name }) => targets.includes(name));
  if (wanted.count === 'none')
    return targets.length === 0 ? [] : [`${asked} is about the whole cluster and takes no machine names`];
  if (targets.length === 0)
    return [`${asked} needs the name of ${wanted.count === 'one' ? 'a node' : 'one node or more'}`];
  const controlPlanes = machines.filter(isControlPlane);
  return [
    ...machines
      .filter(({ roles }) => !roles.some((role) => wanted.roles.includes(role)))
      .map(({ name }) => `${name} is no node, so ${asked} does not apply; its own phases rebuild it`),
    ...(wanted.count === 'one' && targets.length > 1 ? [`${asked} takes one node at a time`] : []),
    // etcd takes one member in or out at a time.
    ...(controlPlanes.length > 0 && targets.length > 1
      ? [
          `${controlPlanes.map(({ name }) => name).join(' and ')}: control planes are added and removed one at a time`,
        ]
      : []),
  ];
}

/** Without a control plane that stays nobody speaks for the cluster. */
function leaderProblems(
  cluster: Cluster,
  { operation, targets, leader = '' }: OperationAim,
): readonly string[] {
  if (operation.targets.count === 'none' || targets.length === 0) return [];
  const controlPlanes = controlPlanesOf(cluster).map(({ name }) => name);
  const staying = controlPlanes.filter((name) => !targets.includes(name));
  if (staying.length === 0)
    return [
      `no other control plane would be left to run kubectl on: npx task heal-cluster rebuilds the cluster, npx task restore goes back to a snapshot`,
    ];
  if (leader === '' || staying.includes(leader)) return [];
  return [`${leader} cannot be the kubectl host; ${staying.join(', ')} can`];
}

/** The scope as Ansible reads it: a second inventory beside `inventory/hosts.yml`. */
export const scopeInventory = (cluster: string, scope: Scope): RenderedFile =>
  dataFile(cluster, scopePath, {
    why: 'which machines a run is about; a run with targets brings its own',
    data: groupScope(scope),
  });

/** The groups that a scope is made of. */
export const scopeGroups = [
  'targets',
  'others',
  'unaffected',
  'leaving',
  'skipped',
  'kubectl_host',
] as const satisfies readonly (keyof Scope)[];

const groupScope = (scope: Scope): Data => ({
  all: {
    children: Object.fromEntries(
      scopeGroups.map((group) => [
        group,
        { hosts: Object.fromEntries(scope[group].map((name) => [name, {}])) },
      ]),
    ),
  },
});
