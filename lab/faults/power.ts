import { ok } from '../../generators/result.ts';
import { containerName } from '../hosts/host-argv.ts';
import { hostStates } from '../hosts/host-status.ts';
import { boot } from '../hosts/hosts.ts';
import { cutPower } from '../hosts/virtual/machine.ts';
import { programFailure } from '../machine/lab-failure.ts';
import { checkHost, isMachine } from '../state/lab.ts';
import type { Fault, OnHost } from './fault.ts';

/** A host loses its power: everything in it dies at once, its disk is kept. */
export const power: Fault<OnHost> = {
  summary: 'Cut the power of a host; undo boots it',
  inject: async (lab, { host }) => {
    const known = checkHost(lab, host);
    if (!known.ok) return known;
    if (new Map(await hostStates(lab.engine, lab.state)).get(host) === 'off') return ok(undefined);
    if (isMachine(lab, host)) return cutPower(lab, host);
    const name = containerName(lab.state.name, host);
    const killed = await lab.engine.podman(['kill', '--signal=KILL', name]);
    if (!killed.ok) return programFailure(`Cutting the power of ${host}`, killed.failure);
    const ended = await lab.engine.podman(['wait', '--interval=50ms', name]);
    return ended.ok ? ok(undefined) : programFailure(`Cutting the power of ${host}`, ended.failure);
  },
  undo: async (lab, { host }) => {
    const known = checkHost(lab, host);
    if (!known.ok) return known;
    return boot(lab, host);
  },
};
