import { describe, expect, test } from 'vitest';
import type { FleetCluster } from '../../../generators/cluster/cluster.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../../../tasks/runtime/failures.ts';
import { inWaves, type WaveLimits } from '../../../tasks/fleet/waves.ts';

const named = (name: string): FleetCluster => ({
  ...{ name, site: name.charAt(0), node: `exec-${name.charAt(0)}`, definition: `${name}.yml` },
  labels: [],
});
const clusters = ['a1', 'a2', 'a3', 'b1', 'b2'].map(named);

const limits: WaveLimits = { canary: 0, atOnce: 9, perSite: 9, failures: 0 };
const bad = failed({ kind: 'cancelled', message: 'no' } as const satisfies Failure);

/** Everything that follows from what has happened has happened. */
const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Works that end only when the test says so, in the order in which they were begun. */
function workshop(failing: readonly string[] = []) {
  const begun: string[] = [];
  const open = new Map<string, () => void>();
  const work = ({ name }: FleetCluster): Promise<Result<void, Failure>> =>
    new Promise((resolve) => {
      begun.push(name);
      open.set(name, () => {
        open.delete(name);
        resolve(failing.includes(name) ? bad : ok(undefined));
      });
    });
  /** Ends the work, and lets everything that follows from it happen. */
  const end = async (name: string): Promise<void> => {
    const finish = open.get(name);
    if (finish === undefined) throw new Error(`${name} is not being worked on`);
    finish();
    await settled();
  };
  return { begun, work, end, at: () => [...open.keys()] };
}

const outcomesOf = async (done: ReturnType<typeof inWaves>): Promise<readonly (boolean | undefined)[]> =>
  (await done).map(({ result }) => result?.ok);

describe('waves', () => {
  test('no more at once than allowed, in all and in one site', async () => {
    const { work, end, at } = workshop();
    const done = inWaves(clusters, { ...limits, atOnce: 3, perSite: 2 }, work);
    await settled();
    expect(at()).toEqual(['a1', 'a2', 'b1']);
    await end('b1');
    expect(at()).toEqual(['a1', 'a2', 'b2']);
    await end('a2');
    expect(at()).toEqual(['a1', 'b2', 'a3']);
    for (const name of ['a1', 'b2', 'a3']) await end(name);
    expect(await outcomesOf(done)).toEqual([true, true, true, true, true]);
  });

  test('no more than ten at their beginning, however many may run', async () => {
    const many = Array.from({ length: 13 }, (_, index) => named(`c${index}`));
    const open: { begun: () => void; end: () => void }[] = [];
    const done = inWaves(
      many,
      { ...limits, atOnce: 100, perSite: 100 },
      (_, begun) =>
        new Promise((resolve) => {
          open.push({
            begun,
            end: () => {
              resolve(ok(undefined));
            },
          });
        }),
    );
    await settled();
    expect(open).toHaveLength(10);
    open[0]?.begun();
    open[1]?.begun();
    open[1]?.begun();
    await settled();
    expect(open).toHaveLength(12);
    open[0]?.end();
    await settled();
    expect(open).toHaveLength(12);
    open[2]?.end();
    await settled();
    expect(open).toHaveLength(13);
    for (const { end } of open) end();
    expect(await outcomesOf(done)).toEqual(many.map(() => true));
  });

  test('canaries go first, and the others only when these succeeded', async () => {
    const { work, end, at } = workshop();
    const done = inWaves(clusters, { ...limits, canary: 1 }, work);
    await settled();
    expect(at()).toEqual(['a1']);
    await end('a1');
    expect(at()).toEqual(['a2', 'a3', 'b1', 'b2']);
    for (const name of ['a2', 'a3', 'b1', 'b2']) await end(name);
    expect(await outcomesOf(done)).toEqual([true, true, true, true, true]);
  });

  test('a canary that fails stops all, whatever may fail otherwise', async () => {
    const { work, end, begun } = workshop(['a1']);
    const done = inWaves(clusters, { ...limits, canary: 1, failures: 9 }, work);
    await settled();
    await end('a1');
    expect(await outcomesOf(done)).toEqual([false, undefined, undefined, undefined, undefined]);
    expect(begun).toEqual(['a1']);
  });

  test('more failures than allowed stop what has not begun; what has begun goes on', async () => {
    const { work, end } = workshop(['a1', 'a2']);
    const done = inWaves(clusters, { ...limits, atOnce: 2, failures: 1 }, work);
    await settled();
    await end('a1');
    await end('a2');
    await end('a3');
    expect(await outcomesOf(done)).toEqual([false, false, true, undefined, undefined]);
  });

  test('no cluster is worked on twice', async () => {
    const { work, end, begun, at } = workshop();
    const done = inWaves(clusters, { ...limits, atOnce: 1 }, work);
    await settled();
    for (const { name } of clusters) {
      expect(at()).toEqual([name]);
      await end(name);
    }
    await done;
    expect(begun).toEqual(clusters.map(({ name }) => name));
  });
});
