import { hasNodes } from '../operations/operation.ts';
import { mainPlaybook } from '../playbooks.ts';
import { cnfNotes, cnfSteps, forgottenCnfs } from './cnfs.ts';
import { isNode, isUnknown, revertMark, type AppliedState } from './applied.ts';
import { isOfUpgrade, operations } from '../operations/table.ts';
import {
  differencesOf,
  explains,
  possibleReasons,
  reasonsFor,
  withReason,
  type Difference,
} from './differences.ts';
import { inWords, dottedPath } from './changes.ts';
import { encryptionLeaves, isKeyFirst } from './encryption.ts';
import { endings } from './endings.ts';
import { maintenance } from './maintenance.ts';
import { additions, movementOf, namesIn, needsWhole, removals, replacements } from './machines.ts';
import { digestOfMarks, lacksMarks, marking } from './node-marks.ts';
import { nodesForgotten, refusals, unfitSteps, type PlanComparison } from './refusals.ts';
import { encryptionKey, type Snapshot } from './snapshot.ts';
import { step, type Step } from './step.ts';
import { upgrades } from './upgrades.ts';

/** The steps that lead from what was last applied to what the definition says now, in their order. */
export interface Plan {
  readonly cluster: string;
  /** Digest of the bundle that was applied as a whole; empty: none was. */
  readonly before: string;
  /** Digest of the bundle that is wanted. */
  readonly after: string;
  readonly steps: readonly Step[];
  /** Changes that no host has to hear of, with the reason. */
  readonly unneeded: readonly string[];
  /** Changes that cannot be made in place, with the reason; with one of them nothing is run. */
  readonly refused: readonly string[];
}

/** Compares what is on the hosts with what a bundle wants. */
export function planOf({
  applied,
  wanted,
}: {
  readonly applied: AppliedState;
  readonly wanted: Snapshot;
}): Plan {
  const frame = { cluster: wanted.cluster.name, before: applied.whole?.bundle ?? '', after: wanted.bundle };
  const [cnfs, forgotten] = [cnfSteps(applied, wanted), forgottenCnfs(applied, wanted)];
  if (applied.whole === undefined)
    return {
      ...frame,
      steps: [first(applied, wanted), ...maintenance({ applied, wanted, differences: [] }), ...cnfs],
      // Perhaps nothing is there yet that a node could be taken out of.
      unneeded: hasNodes(wanted.cluster)
        ? nodesForgotten({ applied, wanted, movement: movementOf(applied, wanted) })
        : [],
      refused: forgotten,
    };
  const differences = differencesOf(applied.whole.cluster, wanted.cluster);
  const compared = { applied, wanted, differences, movement: movementOf(applied, wanted) };
  const steps = [...stepsOf(compared), ...cnfs];
  const refused = [...refusals(compared), ...forgotten];
  return {
    ...frame,
    steps,
    unneeded: [
      ...withReason(differences, 'none'),
      ...without(compared, steps),
      ...endings(compared),
      ...cnfNotes(compared),
    ],
    refused: refused.length > 0 ? refused : unfitSteps(steps, compared),
  };
}

const first = ({ members }: AppliedState, { cluster }: Snapshot): Step =>
  step(mainPlaybook(cluster), [
    Object.keys(members).length === 0
      ? 'nothing of this cluster is known to be on its hosts'
      : 'the cluster was never applied as a whole',
  ]);

function stepsOf(compared: PlanComparison): readonly Step[] {
  const { movement, wanted } = compared;
  const kubernetes = hasNodes(wanted.cluster);
  const before = kubernetes
    ? [
        ...removals(movement, compared.applied, wanted),
        ...encryptionLeaves(compared),
        ...beforeUpgrade(compared),
        ...upgrades(compared),
        ...replacements(movement, broughtWithMachines(compared)),
      ]
    : [];
  const after = isWhole(compared) ? [wholeStep(compared)] : inParts(compared);
  const kept = maintenance(compared);
  const keys = kept.filter(({ operation }) => operation === encryptionKey && isKeyFirst(compared));
  const steps = [...before, ...keys, ...after, ...kept.filter((each) => !keys.includes(each))];
  return kubernetes && steps.length > 0 && !verifies(steps) ? [...steps, verify] : steps;
}

/** Whether they end with a look at all that they change. */
const verifies = (steps: readonly Step[]): boolean =>
  operations.some(({ name, verifies: looks }) => name === steps.at(-1)?.operation && looks) &&
  !steps.some(({ operation }) => operation === settings);

const settings = 'kubernetes-settings';

const verify = step('verify', ['the whole cluster is verified after the changes']);

function isWhole({ applied, wanted, differences, movement }: PlanComparison): boolean {
  const kubernetes = hasNodes(wanted.cluster);
  const { added, replaced } = movement;
  const all = Object.keys(wanted.phases);
  return (
    differences.some(({ meaning }) => meaning.kind === 'whole') ||
    added.some((machine) => !kubernetes || needsWhole(machine)) ||
    replaced.some(([machine]) => !kubernetes || !isNode(machine)) ||
    (all.length > 1 && outdatedPhases(applied, wanted).length === all.length)
  );
}

function wholeStep({ applied, wanted, differences, movement }: PlanComparison): Step {
  const moved = differences.filter(({ meaning }) => meaning.kind !== 'none' && meaning.kind !== 'refused');
  const came = movement.added.map(({ name }) => `${name} is in the definition and not in the cluster`);
  const said = moved.map(({ change }) => inWords(change));
  const reasons = [...new Set([...said, ...(said.length === 0 ? came : [])])];
  return step(mainPlaybook(wanted.cluster), reasons.length > 0 ? reasons : [otherwise(applied, wanted, '')]);
}

/** New workers, then one phase after the other: those that nothing before has brought already. */
function inParts(compared: PlanComparison): readonly Step[] {
  const { applied, wanted, movement } = compared;
  const brought = broughtWithMachines(compared);
  const upgraded = upgrades(compared);
  const done = [...brought, ...beforeUpgrade(compared).map(({ operation }) => operation)];
  const phases = outdatedPhases(applied, wanted).filter(
    (phase) => !done.includes(phase) && !(upgraded.length > 0 && isOfUpgrade(phase)),
  );
  const steps = phases.map((phase) => phaseStep(phase, compared));
  const come = additions(movement, brought);
  // Who joins is told what the others are told by then.
  const last = come.length === 0 ? 0 : steps.findIndex(({ operation }) => operation === 'reconfigure') + 1;
  return [...steps.slice(0, last).map(withoutLook), ...come, ...steps.slice(last)];
}

/** Its look at the whole cluster would miss those that come next. */
const withoutLook = (each: Step): Step =>
  each.operation === 'reconfigure' ? { ...each, operation: settings } : each;

const outdatedPhases = (
  { phases, whole, marked }: AppliedState,
  { phases: asked, cluster }: Snapshot,
): readonly string[] =>
  Object.keys(asked).filter(
    (phase) =>
      phases[phase] !== asked[phase] ||
      (phase === marking && marked !== digestOfMarks(cluster) && lacksMarks(whole?.cluster, cluster)),
  );

function phaseStep(phase: string, { applied, wanted, differences }: PlanComparison): Step {
  const reasons = reasonsFor(phase, differences);
  const formatted = phase === 'nfs-server' ? formattedBy(differences) : undefined;
  const operation = phase === settings ? 'reconfigure' : phase;
  const other = isByDefinition(applied, wanted, phase) ? possibleReasons(differences) : [];
  const said = [reasons, other].find((list) => list.length > 0) ?? [otherwise(applied, wanted, phase)];
  return step(operation, said, {
    ...(formatted === undefined ? {} : { danger: 'reformat', confirm: formatted }),
  });
}

/** The device that may newly be formatted although it holds something. */
const formattedBy = (differences: readonly Difference[]): string | undefined =>
  differences.find(({ change }) => dottedPath(change).endsWith('.forceFormat.device') && change.after !== '')
    ?.change.after;

/** The definition alone makes a phase run that came to its end and is rendered by the same Playsmith. */
const isByDefinition = ({ whole, phases }: AppliedState, { made }: Snapshot, phase: string): boolean =>
  whole?.made === made && !isUnknown(phases[phase]);

/** Why a phase runs although no key of the definition says so. */
function otherwise({ whole, phases }: AppliedState, wanted: Snapshot, phase: string): string {
  if (phases[phase] === '') return `a run of ${phase} did not complete on every host`;
  if (phases[phase] === revertMark)
    return `etcd was restored since ${phase} was run, or that was begun: a snapshot may lack what it brought`;
  if (phase === '' && Object.values(phases).includes('')) return 'a run did not complete on every host';
  if (whole?.made !== wanted.made) return 'another version of Playsmith renders its playbook differently';
  return namesIn(whole.cluster).join() === namesIn(wanted.cluster).join()
    ? 'the hosts were last changed by another bundle'
    : 'the definition names its machines in another order';
}

/** What an operation on machines tells the other hosts: where nothing else has changed it, it needs no run of its own. */
function broughtWithMachines({ applied, wanted, differences, movement }: PlanComparison): readonly string[] {
  const { added, removed, replaced } = movement;
  const alone = (added.length > 0 ? 1 : 0) + removed.length + replaced.length === 1;
  if (applied.whole?.made !== wanted.made || !alone || removed.length > 0) return [];
  return outdatedPhases(applied, wanted).filter(
    (phase) =>
      (knowMachines.includes(phase) || (replaced.length > 0 && knowControlPlanes.includes(phase))) &&
      !isUnknown(applied.phases[phase]) &&
      !differences.some((difference) => explains(difference, phase)),
  );
}

/** Phases that scale-out and replace-node run on their targets, and on the others where these have to know them. */
const knowMachines = ['etc-hosts', 'workers'];
const knowControlPlanes = ['haproxy', 'keepalived'];

/** The new version has to be where nodes get it from, and a new kubelet wants the container runtime that goes with it. */
function beforeUpgrade(compared: PlanComparison): readonly Step[] {
  if (upgrades(compared).length === 0) return [];
  const phases = outdatedPhases(compared.applied, compared.wanted);
  return ['artifacts', 'containerd']
    .filter((phase) => phases.includes(phase))
    .map((phase) => phaseStep(phase, compared));
}

/** Changes for which no phase is to be run: it has been already, or no file of it says the key. */
function without(compared: PlanComparison, steps: readonly Step[]): readonly string[] {
  const { applied, wanted, differences } = compared;
  const maintained = maintenance(compared).map(({ operation }) => operation);
  const phases = [...outdatedPhases(applied, wanted), ...maintained];
  return differences
    .filter(({ meaning }) => {
      if (meaning.kind === 'machine') return steps.length === 0;
      if (meaning.kind !== 'phases') return false;
      return meaning.phases.length === 0
        ? steps.length === 0
        : !meaning.phases.some((name) => phases.includes(name));
    })
    .map(({ change }) => `${inWords(change)}: nothing on a host has to change for it`);
}
