import type { Cluster } from '../cluster/cluster.ts';
import { isConfirmation } from '../phases/confirmation.ts';
import { guardNames, parametersOf } from '../playbooks.ts';
import type { RenderedFile } from '../rendered-file.ts';
import { readYaml } from '../yaml.ts';
import type { Journal, JournalStep } from './journal.ts';
import { step, type Step } from './step.ts';

/** What a person may choose after a step failed, as Tacker's error handling names it. */
export type ResumeChoice = 'retry' | 'roll-back' | 'fail';

/** What is known of the run that did not succeed. */
export interface UnfinishedRun {
  /** Hosts that failed or were not reached. */
  readonly hosts: readonly string[];
  /** Names of the plays that began, in their order. */
  readonly plays: readonly string[];
}

/** What a choice would do, in words, and the steps that it would run; `impossible`: why it cannot be chosen. */
export interface Offer {
  readonly choice: ResumeChoice;
  readonly says: string;
  readonly steps: readonly Step[];
  readonly impossible: string;
}

/** The three ways to go on. `files` are those of the bundle that the stopped step was run from. */
export function offersFor(
  { steps }: Pick<Journal, 'steps'>,
  stopped: UnfinishedRun,
  files: readonly RenderedFile[],
): readonly Offer[] {
  const open = steps.filter(({ state }) => state !== 'done');
  const [failed, ...rest] = open;
  const done = steps.length - open.length;
  if (failed === undefined) return [];
  const again = retriedSteps(failed, stopped, files);
  const retry = [...(done > 0 || again.length > 1 ? [look] : []), ...again, ...rest.map(plain)];
  return [
    { choice: 'retry', says: retry.map(showStep).join(', then '), steps: retry, impossible: '' },
    rollBack(steps),
    {
      choice: 'fail',
      says: 'run nothing, close the journal; npx task plan then shows what is left to do',
      steps: [],
      impossible: '',
    },
  ];
}

/** What is done already is looked at once; what is found then may be the very thing that the next step mends. */
const look = step('verify', ['what is already done is checked, and not repeated'], { required: false });

/** A phase of them that is run by itself does something else: it refuses less, or brings what they take away. */
const inOnePiece: readonly string[] = ['heal-storage', 'terminate'];

/** The step with the name that its playbook wants before it destroys something: who agreed once agrees once more. */
export function withConfirmation(step: Step, cluster: Cluster): Step {
  const asked = parametersOf(cluster, step.operation).filter(isConfirmation);
  return step.confirm === '' && asked.some(({ required }) => required)
    ? { ...step, danger: 'reset', confirm: step.targets.join(',') || cluster.name }
    : step;
}

/** The step again, as small as it can be: only machines that failed, only phases that did not end. */
export function retriedSteps(
  failed: JournalStep,
  { hosts, plays }: UnfinishedRun,
  files: readonly RenderedFile[],
): readonly Step[] {
  const { operation, targets, reasons } = failed;
  if (operation === 'scale-out') {
    const left = targets.filter((name) => hosts.includes(name));
    return [{ ...plain(failed), targets: left.length > 0 ? left : targets }];
  }
  if (targets.length > 0 || inOnePiece.includes(operation)) return [plain(failed)];
  const left = phasesLeft(operation, plays, files);
  if (left.length === 0) return [plain(failed)];
  const last = left.at(-1);
  // Only with the last of them is the operation done as a whole.
  return left.map((phase) =>
    step(phase, reasons, { from: failed.from, completes: phase === last ? operation : '' }),
  );
}

/** The phases of an operation from the one on that did not end; empty for a playbook that imports none. */
export function phasesLeft(
  operation: string,
  plays: readonly string[],
  files: readonly RenderedFile[],
): readonly string[] {
  const phases = importsOf(operation, files);
  const owners = phases.map((phase) => new Set(playsOf(phase, files)));
  // A play that several phases have, like the one that reaches every host, says nothing.
  const telling = plays.filter((play) => owners.filter((own) => own.has(play)).length === 1);
  const reached = owners.findIndex((own) => own.has(telling.at(-1) ?? ''));
  return reached < 0 ? [] : phases.slice(reached);
}

interface SiteImport {
  readonly name?: string;
  readonly 'ansible.builtin.import_playbook'?: string;
}

const entriesOf = (playbook: string, files: readonly RenderedFile[]): readonly SiteImport[] => {
  const file = files.find(({ path }) => path === `${playbook}.yml`);
  return file === undefined ? [] : (readYaml(file.text) as readonly SiteImport[]);
};

const importsOf = (playbook: string, files: readonly RenderedFile[]): readonly string[] =>
  entriesOf(playbook, files).flatMap((entry) => {
    const name = entry['ansible.builtin.import_playbook']?.replace(/\.yml$/, '');
    return name === undefined || guardNames.includes(name) ? [] : [name];
  });

const playsOf = (playbook: string, files: readonly RenderedFile[]): readonly string[] =>
  entriesOf(playbook, files).flatMap(({ name }) => (name === undefined ? [] : [name]));

/** The step that began last, if its operation has an inverse; what was done before it stays. */
function rollBack(all: Journal['steps']): Offer {
  const choice = 'roll-back';
  const last = all.filter(({ state }) => state !== 'waiting').at(-1);
  if (last === undefined || inverses[last.operation] === undefined)
    return { choice, says: '', steps: [], impossible: whyNot(last) };
  const steps = inverseSteps(last);
  return { choice, says: steps.map(showStep).join(', then '), steps, impossible: '' };
}

const whyNot = (last?: JournalStep): string =>
  last === undefined
    ? 'nothing has begun that could be taken back'
    : `${last.operation} has no inverse: what it changed so far stays, and retry brings it to its end`;

const inverseSteps = ({ operation, targets, from }: JournalStep): readonly Step[] => {
  const inverse = inverses[operation] ?? '';
  return targets.map((name) =>
    step(inverse, [`${operation} of ${name} is taken back`], {
      targets: [name],
      from,
      ...(inverse === 'scale-in' ? { danger: 'remove' as const, confirm: name } : {}),
    }),
  );
};

const inverses: Readonly<Record<string, string>> = { 'scale-out': 'scale-in', 'scale-in': 'scale-out' };

const showStep = ({ operation, targets }: Step): string => [operation, ...targets].join(' ');

/** The step alone, without how far it came. */
function plain(step: JournalStep): Step {
  const { operation, targets, from, reasons, danger, confirm, brings, completes, required } = step;
  return { operation, targets, from, reasons, danger, confirm, brings, completes, required };
}
