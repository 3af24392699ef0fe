import { setTimeout as sleep } from 'node:timers/promises';
import { describe, faults, probeSoFar, startProbe, stopProbe, type Lab } from '../../../lab/index.ts';
import { must, until } from '../../support/hosts/lab.ts';
import { untilWhole } from './whole.ts';

export const faultNames = ['haproxy stopped', 'host frozen', 'host powered off'] as const;
export type FaultName = (typeof faultNames)[number];

/** Seconds in which a client got no answer from the virtual address after a fault of its holder; undoes the fault. */
export async function outage(lab: Lab, name: FaultName, preferred: string | undefined): Promise<number> {
  const holder = await untilWhole(lab, preferred);
  must(await startProbe(lab, `https://${describe(lab).vip}:6440/readyz`));
  await untilSteady(lab, 0);
  const { inject, undo } = turns(lab, holder)[name];
  const before = must(await probeSoFar(lab)).length;
  must(await inject());
  await untilSteady(lab, before);
  const { gaps } = must(await stopProbe(lab));
  must(await undo());
  return gaps.filter(({ from }) => from > quiet / 2).reduce((sum, { seconds }) => sum + seconds, 0);
}

type Turn = () => ReturnType<(typeof faults)['freeze']['inject']>;

const turns = (
  lab: Lab,
  host: string,
): Readonly<Record<FaultName, { readonly inject: Turn; readonly undo: Turn }>> => {
  const haproxy = { host, service: 'haproxy' };
  return {
    'haproxy stopped': {
      inject: () => faults['service-stop'].inject(lab, haproxy),
      undo: () => faults['service-stop'].undo(lab, haproxy),
    },
    'host frozen': {
      inject: () => faults.freeze.inject(lab, { host }),
      undo: () => faults.freeze.undo(lab, { host }),
    },
    'host powered off': {
      inject: () => faults.power.inject(lab, { host }),
      undo: () => faults.power.undo(lab, { host }),
    },
  };
};

/** Seconds without a gap that count as rest. */
const quiet = 2;

/** Until the probe, after its first `from` attempts, gets every answer for a while. */
async function untilSteady(lab: Lab, from: number): Promise<void> {
  await until('the virtual address answers', async () => {
    await sleep(200);
    const latest = must(await probeSoFar(lab))
      .slice(from)
      .slice(-quiet * 20);
    return latest.length === quiet * 20 && latest.every(({ ok }) => ok);
  });
}
