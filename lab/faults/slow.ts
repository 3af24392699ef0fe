import { ok } from '../../generators/result.ts';
import type { Fault, OnHost } from './fault.ts';
import { inNetwork } from './namespace.ts';

export interface ThinLine extends OnHost {
  /** Kilobits a second that the host may send. */
  readonly kilobits: number;
}

/** A host's line gets thin: what it sends waits. */
export const slow: Fault<ThinLine> = {
  summary: 'Let a host send only so many kilobits a second; undo lets it send all',
  inject: async (lab, { host, kilobits }) => {
    const shape = ['rate', `${Math.trunc(kilobits)}kbit`, 'burst', '1600', 'limit', '100000'];
    const set = await inNetwork(lab, host, [
      'tc',
      'qdisc',
      'replace',
      'dev',
      'eth0',
      'root',
      'tbf',
      ...shape,
    ]);
    return set.ok ? ok(undefined) : set;
  },
  undo: async (lab, { host }) => {
    // Deleting what is not there is an error, replacing it never.
    const set = await inNetwork(lab, host, ['tc', 'qdisc', 'replace', 'dev', 'eth0', 'root', 'pfifo_fast']);
    return set.ok ? ok(undefined) : set;
  },
};
