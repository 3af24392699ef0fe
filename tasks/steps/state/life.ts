import { dirname, join } from 'node:path';
import { failed, ok, type Result } from '../../../generators/result.ts';
import { planOf } from '../../../generators/plan/plan.ts';
import type { AppliedState, Fact } from '../../../generators/plan/applied.ts';
import { effectOf, type IntendedStep } from '../../../generators/plan/effect.ts';
import { appliedOf, readLedger, unfinishedFact } from '../../../generators/plan/ledger.ts';
import { snapshotOf, type Snapshot } from '../../../generators/plan/snapshot.ts';
import { list, map, nameText, text } from '../../../generators/shape.ts';
import type { KeptJournal, LockHolder, RunLife } from '../../runtime/agent/messages.ts';
import type { Failure } from '../../runtime/failures.ts';
import { createFolder } from '../../runtime/folders.ts';
import type { Server } from '../../runtime/server.ts';
import { replaceDurably } from '../definition/durable.ts';
import type { RenderedBundle } from '../bundle/bundle.ts';

/** What the server knows of a cluster's life. */
export interface Life {
  readonly applied: AppliedState;
  /** Digest of `applied.json`, by which the server sees whether it is still the same. */
  readonly digest: string;
  /** The last run, when it did not succeed. */
  readonly unfinished: Fact | undefined;
  readonly journal: KeptJournal | undefined;
  readonly lock: LockHolder | null;
}

/** Reads what was applied to a cluster and how far its last apply came. */
export async function readLife(
  server: Server,
  cluster: string,
  ask = () => server.agent().ask('life', { cluster }),
): Promise<Result<Life, Failure>> {
  const found = await ask();
  if (!found.ok) return found;
  const { applied, digest, journal, lock } = found.value;
  const ledger = readLedger(applied);
  if (!ledger.ok) return failed(unreadable(server, ledger.failure));
  return ok({
    applied: appliedOf(ledger.value),
    digest,
    unfinished: unfinishedFact(ledger.value),
    journal: journalIn(journal),
    lock,
  });
}

function journalIn(text: string): KeptJournal | undefined {
  try {
    const found = JSON.parse(text) as KeptJournal;
    return isJournal(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** As far as it is read: what lies there may be anything. */
const isJournal = (found: Partial<KeptJournal> | null): boolean =>
  [found?.fence, found?.state, found?.plan, found?.who, found?.started].every(
    (each) => typeof each === 'string',
  ) &&
  Array.isArray(found?.steps) &&
  (found.steps as readonly unknown[]).every(isStep);

const texts = list(text);
const isStep = map({
  ...{ operation: nameText, targets: list(nameText), reasons: texts, brings: texts },
  ...{ state: text, run: text, bundle: text, from: text },
  confirm: (value) => value === '' || (typeof value === 'string' && value.split(',').every(nameText)),
});

const unreadable = (server: Server, reason: string): Failure => ({
  kind: 'server',
  message: `${server.name} has an applied.json that cannot be read`,
  evidence: reason,
  next: 'Use the Playsmith that wrote it, or move the file away: the next plan then says how to go on',
});

/** What a rendered bundle wants of the hosts. */
export const snapshotOfRendered = ({
  cluster,
  bundle,
  made,
}: Pick<RenderedBundle, 'cluster' | 'bundle' | 'made'>): Snapshot => snapshotOf(cluster, bundle, made);

/**
 * What a run will have changed, for the server to write down; undefined: nothing that a plan asks for. Over a mesh what is applied is
 * asked along with others, else when this is called.
 */
export function lifeAhead(
  server: Server,
  rendered: Pick<RenderedBundle, 'cluster' | 'bundle' | 'made'>,
  run: IntendedStep,
): () => Promise<Result<RunLife | undefined, Failure>> {
  const snapshot = snapshotOfRendered(rendered);
  if (effectOf(run, snapshot) === undefined) return () => Promise.resolve(ok(undefined));
  const cluster = rendered.cluster.name;
  const asked = server.ahead('life', { cluster });
  return async () => {
    const life = await readLife(server, cluster, asked);
    if (!life.ok) return life;
    const { applied, digest } = life.value;
    const brings = run.brings.length > 0 ? run.brings : broughtBy(run, applied, snapshot);
    const effect = effectOf({ ...run, brings }, snapshot);
    if (effect === undefined) return ok(undefined);
    const { operation, targets } = run;
    return ok({ base: applied, expected: digest, snapshot, fact: { operation, targets, effect } });
  };
}

/** What a plan would expect of the very same step, where it is one that a person asks for. */
function broughtBy(
  { operation, targets }: IntendedStep,
  applied: AppliedState,
  wanted: Snapshot,
): readonly string[] {
  const { steps } = planOf({ applied, wanted });
  const same = steps.find((step) => step.operation === operation && step.targets.join() === targets.join());
  return same?.brings ?? [];
}

/** Keeps a copy of what is applied beside the copies of records; that it cannot be written is no reason to fail. */
export async function keepApplied(folder: string, cluster: string, applied: AppliedState): Promise<void> {
  const text = `${JSON.stringify(applied, null, 2)}\n`;
  const path = join(folder, appliedCopy(cluster));
  try {
    createFolder(dirname(path));
    await replaceDurably(path, text, 0o600);
  } catch {
    return;
  }
}

/** The copy of what is applied, below the folder of copies. */
export const appliedCopy = (cluster: string): string => join('applied', `${cluster}.json`);
