import { ok } from '../../generators/result.ts';
import { plugMachine } from '../hosts/virtual/machine.ts';
import { isMachine } from '../state/lab.ts';
import { hostAddress } from '../state/subnet.ts';
import type { Fault, OnHost } from './fault.ts';
import { inNetwork } from './namespace.ts';

/** A host's cable is pulled. */
export const link: Fault<OnHost> = {
  summary: 'Pull the network cable of a host; undo plugs it in',
  inject: async (lab, { host }) => {
    if (isMachine(lab, host)) return plugMachine(lab, host, false);
    const cut = await inNetwork(lab, host, ['ip', 'link', 'set', 'eth0', 'down']);
    return cut.ok ? ok(undefined) : cut;
  },
  undo: async (lab, { host }) => {
    if (isMachine(lab, host)) return plugMachine(lab, host, true);
    const up = await inNetwork(lab, host, ['ip', 'link', 'set', 'eth0', 'up']);
    if (!up.ok) return up;
    // The kernel forgets routes through a link that goes down.
    const gateway = hostAddress(lab.state.subnet, 1);
    const routed = await inNetwork(lab, host, ['ip', 'route', 'replace', 'default', 'via', gateway]);
    return routed.ok ? ok(undefined) : routed;
  },
};
