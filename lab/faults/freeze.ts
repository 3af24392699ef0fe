import { ok, type Result } from '../../generators/result.ts';
import { containerName } from '../hosts/host-argv.ts';
import type { HostState } from '../hosts/host-state.ts';
import { hostStates } from '../hosts/host-status.ts';
import { freezeMachine } from '../hosts/virtual/machine.ts';
import { programFailure, type LabFailure } from '../machine/lab-failure.ts';
import { checkHost, isMachine, type Lab } from '../state/lab.ts';
import type { Fault, OnHost } from './fault.ts';

/** A host stands still, as a virtual machine whose hypervisor has other things to do; its connections stay open. */
export const freeze: Fault<OnHost> = {
  summary: 'Freeze a host; undo lets it go on',
  inject: (lab, { host }) => turn(lab, host, { from: 'running', word: 'pause' }),
  undo: (lab, { host }) => turn(lab, host, { from: 'frozen', word: 'unpause' }),
};

async function turn(
  lab: Lab,
  host: string,
  { from, word }: { readonly from: HostState; readonly word: string },
): Promise<Result<void, LabFailure>> {
  const known = checkHost(lab, host);
  if (!known.ok) return known;
  const state = new Map(await hostStates(lab.engine, lab.state)).get(host);
  const isDone = from === 'running' ? state === 'frozen' : state === 'running';
  if (isDone) return ok(undefined);
  if (isMachine(lab, host)) return freezeMachine(lab, host, from === 'running');
  const turned = await lab.engine.podman([word, containerName(lab.state.name, host)]);
  return turned.ok ? ok(undefined) : programFailure(`podman ${word} of ${host}`, turned.failure);
}
