import { ok, type Result } from '../../../generators/result.ts';
import { containerName } from '../host-argv.ts';
import type { HostState } from '../host-state.ts';
import { hostStates } from '../host-status.ts';
import { checkHost, isMachine, type Lab } from '../lab.ts';
import { programFailure, type LabFailure } from '../lab-failure.ts';
import { freezeMachine } from '../virtual/machine.ts';
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
