import type { Cluster, Role } from '../cluster/cluster.ts';
import type { Fill } from '../engine.ts';
import type { Effect, EffectContext } from './effect.ts';
import type { Phase } from '../phases/phase.ts';
import type { RenderedFile } from '../rendered-file.ts';

/** One life-cycle event: a playbook that imports phases in their order. */
export interface Operation {
  readonly name: string;
  /** One imperative sentence, for help, the README and the playbook. */
  readonly summary: string;
  readonly applies: (cluster: Cluster) => boolean;
  /** Those of the phases that apply to the cluster which belong to it, in its own order. */
  readonly parts: (phases: readonly Phase[]) => readonly Phase[];
  readonly targets: Targets;
  /** What is lost for good where it is asked for by mistake: it then wants the name of what it is about. */
  readonly danger: Danger;
  /** What it does to the applied state when it succeeds; undefined: nothing that a plan asks for. */
  readonly effect: (planned: EffectContext) => Effect | undefined;
  /** Whether it ends with a look at the whole cluster. */
  readonly verifies: boolean;
  /** What is typed behind `npx task`. */
  readonly example: string;
}

/** What may be lost: a machine's place in the cluster, what is on it, data on a device, or etcd's majority. */
export type Danger = 'none' | 'remove' | 'reset' | 'reformat' | 'quorum';

/** Which machines an operation is asked to be about. */
export interface Targets {
  /** `none`: it is about the whole cluster, and no machine can be named. */
  readonly count: 'none' | 'one' | 'several';
  readonly roles: readonly Role[];
  /** True when they are no part of the cluster afterwards. */
  readonly leave: boolean;
}

/** The whole cluster, as far as a phase is for it. */
export const everything: Targets = { count: 'none', roles: [], leave: false };

const nodeRoles: readonly Role[] = ['control-plane', 'worker'];

/** One node that is recreated. */
export const oneNode: Targets = { count: 'one', roles: nodeRoles, leave: false };

/** Nodes that come, or with `leave` that go. */
export const someNodes = (leave: boolean): Targets => ({ count: 'several', roles: nodeRoles, leave });

/** Phases by name, in the order of the names; what the cluster does not have is left out. */
export const phasesNamed = (phases: readonly Phase[], names: readonly string[]): readonly Phase[] =>
  names.flatMap((name) => phases.filter((phase) => phase.name === name));

/** Phases by which nodes leave, whoever installs Kubernetes. */
export const leaving = [
  ...['node-preflight', 'kubespray-node-preflight', 'drain-backends'],
  ...['remove-node', 'kubespray-remove'],
];

/** Phases by which a node is recreated; kubespray recovers control planes by a playbook of its own. */
export const recreating = (phases: readonly Phase[]): readonly Phase[] => [
  ...phasesNamed(phases, [...leaving, 'kubespray-recover']),
  ...buildingNodes(phases),
];

/** Phases that build the cluster, in their order. */
export const building = (phases: readonly Phase[]): readonly Phase[] =>
  phases.filter(({ run }) => run === 'instantiate');

/** True where Playsmith or kubespray installs Kubernetes, so that nodes can come and go. */
export const hasNodes = ({ kubernetes }: Cluster): boolean => kubernetes.installer !== 'none';

/** True where our own playbooks install it. */
export const isOurs = ({ kubernetes }: Cluster): boolean => kubernetes.installer === 'kubeadm';

/** Phases that build the cluster, for nodes alone: kubespray is called for them, not for all. */
export const buildingNodes = (phases: readonly Phase[]): readonly Phase[] =>
  building(phases).flatMap((phase) => {
    // Nodes that join are told what the others are; what all of them are told is no concern of theirs.
    if (phase.name === 'kubernetes-settings') return [];
    return phase.name === 'kubespray-cluster' ? phasesNamed(phases, ['kubespray-scale']) : [phase];
  });

/** A playbook that an operation imports. */
interface OperationPart {
  readonly name: string;
  readonly what: string;
  /** The variable that is told the name of the operation. */
  readonly told: string | undefined;
}

/** The playbook that imports the phases; each is told for which operation. With a scope it begins with a look at that. */
export const renderOperation = (
  { name, targets }: Pick<Operation, 'name' | 'targets'>,
  { parts, isScoped }: { readonly parts: readonly OperationPart[]; readonly isScoped: boolean },
  fill: Fill,
): RenderedFile => ({
  path: `${name}.yml`,
  mode: '0644',
  text: fill('operations/imports.yml.hbs', {
    about: isScoped ? [about(targets)] : [],
    phases: parts.map((part) => ({
      ...part,
      told: part.told === undefined ? [] : [{ variable: part.told, value: name }],
    })),
  }),
});

/** What `require-scope.yml` holds a scope against. */
const about = ({ count, leave }: Targets): string =>
  leave ? 'leaving' : count === 'none' ? 'cluster' : 'targets';
