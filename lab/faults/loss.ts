import { labFailure } from '../machine/lab-failure.ts';
import type { Fault, OnHost } from './fault.ts';
import { removeRules, setRules } from './firewall.ts';

export interface PacketLoss extends OnHost {
  /** Of the packets that arrive at the host, 1 to 100. */
  readonly percent: number;
}

/** Packets to a host get lost by chance. */
export const loss: Fault<PacketLoss> = {
  summary: 'Lose some percent of the packets to a host; undo loses none',
  inject: async (lab, { host, percent }) => {
    if (!Number.isInteger(percent) || percent < 1 || percent > 100)
      return labFailure(
        `${percent} percent of the packets cannot be lost`,
        'Give a whole number from 1 to 100',
      );
    const chance = percent === 100 ? '' : `numgen random mod 100 < ${percent} `;
    return setRules(lab, host, { table, rules: [`input iifname eth0 ${chance}drop`] });
  },
  undo: (lab, { host }) => removeRules(lab, host, table),
};

const table = 'playsmith_loss';
