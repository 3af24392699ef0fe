import type { Fault, OnHost } from './fault.ts';
import { removeRules, setRules } from './firewall.ts';

export interface Loss extends OnHost {
  /** Of the packets that arrive at the host, 1 to 100. */
  readonly percent: number;
}

/** Packets to a host get lost by chance. */
export const loss: Fault<Loss> = {
  summary: 'Lose some percent of the packets to a host; undo loses none',
  inject: (lab, { host, percent }) =>
    setRules(lab, host, {
      table,
      rules: [`input iifname eth0 numgen random mod 100 < ${Math.trunc(percent)} drop`],
    }),
  undo: (lab, { host }) => removeRules(lab, host, table),
};

const table = 'playsmith_loss';
