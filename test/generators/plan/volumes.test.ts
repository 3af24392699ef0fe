import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { appliedAfter, type AppliedState } from '../../../generators/plan/applied.ts';
import { effectOf } from '../../../generators/plan/effect.ts';
import { planOf } from '../../../generators/plan/plan.ts';
import { refusedChanges } from '../../../generators/plan/refusals.ts';
import { exported, storageServer, stored } from '../../support/definitions/storage.ts';
import { having, plan, short, snapshot } from './support.ts';

const before = stored();
const at = (address: string): Cluster => stored([storageServer({ address })]);
const under = (path: string): Cluster => stored([storageServer({ exports: [exported(path)] })]);

/** After `heal-storage` with another definition. */
function healed(of: Cluster, status = 'successful'): AppliedState {
  const wanted = snapshot(of);
  const run = { operation: 'heal-storage', targets: [], brings: [], completes: '' };
  const effect = effectOf({ ...run, check: false, limit: [], tagged: false }, wanted);
  if (effect === undefined) throw new Error('heal-storage has no effect');
  const fact = { ...run, run: 'r', bundle: wanted.bundle, effect, status, recap: {} };
  return appliedAfter(having(before), fact, wanted);
}

describe('a PersistentVolume that leads elsewhere', () => {
  test.each([
    ['another address of its server', at('10.0.0.91'), '10.0.0.91:/volume/pv1'],
    ['another folder', under('/volume/pv9'), '10.0.0.90:/volume/pv9'],
  ])('by %s is refused before pods lose their files', (_, after, to) => {
    const why = expect.stringMatching(
      new RegExp(
        `^storage\\.persistentVolumes\\.pv1: it leads to 10\\.0\\.0\\.90:/volume/pv1 and would lead to ${to}, .*npx task heal-storage --confirm`,
      ),
    ) as string;
    expect(plan(before, after).refused).toEqual([why]);
    expect(refusedChanges(having(before), snapshot(after))).toContainEqual(why);
  });

  test('is registered again by heal-storage, and then nothing is left to do', () => {
    const after = under('/volume/pv9');
    expect(planOf({ applied: healed(after), wanted: snapshot(after) })).toMatchObject({
      steps: [],
      refused: [],
    });
    expect(planOf({ applied: healed(after, 'failed'), wanted: snapshot(after) }).refused).toHaveLength(1);
  });

  test('under another name is another one', () => {
    const [volume] = before.storage.persistentVolumes;
    if (volume === undefined) throw new Error('there is a volume');
    const other = { ...volume, name: 'pv9', manifest: { ...volume.manifest, metadata: { name: 'pv9' } } };
    const after = { ...before, storage: { ...before.storage, persistentVolumes: [other] } };
    expect(plan(before, after).refused).toEqual([]);
    expect(short(plan(before, after))).toContain('persistent-volumes');
  });
});
