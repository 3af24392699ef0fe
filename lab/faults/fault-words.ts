import { failed, type Result } from '../../generators/result.ts';
import type { Failure } from '../../tasks/runtime/failures.ts';
import { openLab, type Lab } from '../state/lab.ts';
import { faults } from './index.ts';

type Turn = 'inject' | 'undo';
type FaultCommand = (lab: Lab, turn: Turn, words: readonly string[]) => Promise<Result<void, Failure>>;

const names = (text = ''): string[] => text.split(',').filter((name) => name !== '');

/** How each fault is said on the command line. */
const spoken: Readonly<Record<keyof typeof faults, { readonly usage: string; readonly turn: FaultCommand }>> =
  {
    'service-stop': {
      usage: 'service-stop HOST SERVICE',
      turn: (lab, turn, [host = '', service = '']) => faults['service-stop'][turn](lab, { host, service }),
    },
    'service-kill': {
      usage: 'service-kill HOST SERVICE',
      turn: (lab, turn, [host = '', service = '']) => faults['service-kill'][turn](lab, { host, service }),
    },
    freeze: { usage: 'freeze HOST', turn: (lab, turn, [host = '']) => faults.freeze[turn](lab, { host }) },
    power: { usage: 'power HOST', turn: (lab, turn, [host = '']) => faults.power[turn](lab, { host }) },
    link: { usage: 'link HOST', turn: (lab, turn, [host = '']) => faults.link[turn](lab, { host }) },
    partition: {
      usage: 'partition HOST,HOST HOST,HOST [vrrp]',
      turn: (lab, turn, [between, and, only]) =>
        faults.partition[turn](lab, {
          between: names(between),
          and: names(and),
          only: only === 'vrrp' ? 'vrrp' : 'all',
        }),
    },
    loss: {
      usage: 'loss HOST PERCENT',
      turn: (lab, turn, [host = '', percent]) =>
        faults.loss[turn](lab, { host, percent: Number(percent ?? 50) }),
    },
    slow: {
      usage: 'slow HOST KBIT',
      turn: (lab, turn, [host = '', kbit]) => faults.slow[turn](lab, { host, kilobits: Number(kbit ?? 100) }),
    },
    'small-disk': {
      usage: 'small-disk HOST PATH KB',
      turn: (lab, turn, [host = '', path = '', kilobytes]) =>
        faults['small-disk'][turn](lab, { host, path, kilobytes: Number(kilobytes ?? 64) }),
    },
  };

export const faultNames = Object.values(spoken)
  .map(({ usage }) => usage)
  .join(' | ');

/** Injects the fault that the words name, or ends it. */
export async function turnFault(
  name: string,
  [kind = '', ...words]: readonly string[],
  undo: boolean,
): Promise<Result<void, Failure>> {
  if (!Object.hasOwn(spoken, kind))
    return failed({
      kind: 'usage',
      message: `there is no fault ${kind === '' ? 'without a name' : kind}; choose one of: ${faultNames}`,
    });
  const lab = await openLab(name);
  return lab.ok ? spoken[kind as keyof typeof faults].turn(lab.value, undo ? 'undo' : 'inject', words) : lab;
}
