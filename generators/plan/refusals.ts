import { hasNodes } from '../operations/operation.ts';
import { scopeOf } from '../operations/scope.ts';
import { operationOf } from '../playbooks.ts';
import type { AppliedState } from './applied.ts';
import { stillBalancing } from './balancers.ts';
import { differencesOf, withReason, type Difference } from './differences.ts';
import { encryptionObstacles, headsMissed } from './encryption.ts';
import {
  controlPlanesAtOnce,
  describeMachine,
  headsGone,
  movementOf,
  namesIn,
  successorsIn,
  tradedPlaces,
  type Movement,
} from './machines.ts';
import { pluginsBeside } from './marks/pod-network.ts';
import type { Snapshot } from './snapshot.ts';
import type { Step } from './step.ts';
import { upgradeObstacles } from './upgrades.ts';
import { volumesMoved } from './volumes.ts';

/** What was applied as a whole beside what is wanted. */
export interface PlanComparison {
  readonly applied: AppliedState;
  readonly wanted: Snapshot;
  readonly differences: readonly Difference[];
  readonly movement: Movement;
}

/** What no steps lead to, each with its reason. */
export const refusals = (compared: PlanComparison): readonly string[] => [
  ...withReason(compared.differences, 'refused'),
  ...placesRefused(compared),
  ...nodesForgotten(compared),
  ...stillBalancing(compared),
  ...encryptionObstacles(compared, compared.movement),
  ...headsMissed(compared.applied, compared.wanted),
  ...upgradeObstacles(compared, compared.movement),
  ...volumesMoved(compared.applied, compared.wanted),
  ...pluginsBeside(compared.applied, compared.wanted),
];

/** What the operations of steps would refuse before anything is run; each from its own bundle. */
export const unfitSteps = (
  steps: readonly Step[],
  { applied: { whole }, wanted }: Pick<PlanComparison, 'applied' | 'wanted'>,
): readonly string[] =>
  steps.flatMap(({ operation: name, targets, from }) => {
    // What an older Playsmith applied may lack what it did not know.
    const cluster = { ...wanted.cluster, ...(from === 'applied' ? whole?.cluster : {}) };
    const operation = targets.length > 0 ? operationOf(cluster, name) : undefined;
    const scope = operation === undefined ? undefined : scopeOf(cluster, { operation, targets });
    return scope?.ok === false ? scope.failure : [];
  });

/** Nodes that neither this definition names, nor the one that was applied as a whole and would take them out. */
export function nodesForgotten({
  applied,
  wanted,
  movement,
}: Pick<PlanComparison, 'applied' | 'wanted' | 'movement'>): readonly string[] {
  const { whole, begun = [] } = applied;
  const names = namesIn(wanted.cluster);
  const known = whole === undefined ? [] : namesIn(whole.cluster);
  const came = movement.removed.map(([name]) => name).filter((name) => !known.includes(name));
  const why = (name: string, what: string): string =>
    `machines.${name}: ${what}: with the definition that names it, npx task scale-in ${name}`;
  return [
    ...came.map((name) => why(name, 'it came with a definition that was never applied as a whole')),
    ...begun
      .filter((name) => !names.includes(name))
      .map((name) =>
        why(name, 'a run that was to take it in did not complete, and it may be a node all the same'),
      ),
  ];
}

/** Nodes that cannot take the places that they are given, or not all at once. */
function placesRefused({ applied, wanted, movement }: PlanComparison): readonly string[] {
  const traded = tradedPlaces(movement, wanted);
  if (traded.length > 0 || !hasNodes(wanted.cluster)) return traded;
  return [...controlPlanesAtOnce(movement, applied, wanted), ...headsGone(movement, applied, wanted)];
}

/** Changes that a run of everything would bring to some hosts and not to what runs, with the reason. */
export const refusedChanges = (applied: AppliedState, wanted: Snapshot): readonly string[] =>
  applied.whole === undefined
    ? []
    : [
        ...withReason(differencesOf(applied.whole.cluster, wanted.cluster), 'refused'),
        ...volumesMoved(applied, wanted),
        ...pluginsBeside(applied, wanted),
        ...(hasNodes(wanted.cluster) ? successorsIn(movementOf(applied, wanted)).map(inPlace) : []),
      ];

const inPlace = ([machine, member]: Movement['replaced'][number]): string =>
  `machines.${machine.name}: ${describeMachine(member)} becomes ${describeMachine(machine)}: a node leaves and comes back for that, which npx task apply does`;
