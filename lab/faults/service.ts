import { ok, type Result } from '../../generators/result.ts';
import { exec } from '../hosts/exec.ts';
import type { LabFailure } from '../machine/lab-failure.ts';
import type { Lab } from '../state/lab.ts';
import type { Fault, OnHost } from './fault.ts';

export interface OnService extends OnHost {
  /** A systemd unit, like `haproxy`. */
  readonly service: string;
}

/** A service is stopped in good order, as by hand. */
export const serviceStop: Fault<OnService> = {
  summary: 'Stop a service; undo starts it',
  inject: (lab, where) => systemctl(lab, where, ['stop']),
  undo: (lab, where) => systemctl(lab, where, ['start']),
};

/** Every process of a service is killed; systemd restarts it only if its unit says so. */
export const serviceKill: Fault<OnService> = {
  summary: 'Kill all processes of a service; undo starts it',
  inject: (lab, where) => systemctl(lab, where, ['kill', '--signal=SIGKILL']),
  undo: async (lab, where) => {
    const reset = await systemctl(lab, where, ['reset-failed']);
    return reset.ok ? systemctl(lab, where, ['start']) : reset;
  },
};

async function systemctl(
  lab: Lab,
  { host, service }: OnService,
  words: readonly string[],
): Promise<Result<void, LabFailure>> {
  const ran = await exec(lab, host, ['systemctl', ...words, service]);
  return ran.ok ? ok(undefined) : ran;
}
