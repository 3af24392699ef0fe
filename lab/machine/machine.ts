import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import process from 'node:process';

/** What decides how hosts are started on this machine. */
export interface LabMachine {
  /** `v2`: an ordinary Linux; `v1`: controllers in hierarchies of their own, also beside a v2 without controllers. */
  readonly cgroup: 'v1' | 'v2';
  readonly cgroupManager: 'systemd' | 'cgroupfs';
  /** What this process may raise its limits to; a host must not ask for more. */
  readonly openFiles: number;
  readonly processes: number;
}

export async function labMachine(): Promise<LabMachine> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const isV2 = existsSync('/sys/fs/cgroup/cgroup.controllers');
  return {
    cgroup: isV2 ? 'v2' : 'v1',
    cgroupManager: isV2 && existsSync('/run/systemd/system') ? 'systemd' : 'cgroupfs',
    openFiles: hardLimit(limits, 'Max open files'),
    // podman 4.3 lowers its own limit before runc asks for this one, so the machine's own is too much.
    processes: Math.min(hardLimit(limits, 'Max processes'), 16_384),
  };
}

export const isRoot = (): boolean => process.geteuid?.() === 0;

/** From /proc/self/limits; an unlimited one is a number that every kernel accepts. */
export function hardLimit(limits: string, name: string): number {
  const hard = Number(
    limits
      .split('\n')
      .find((line) => line.startsWith(name))
      ?.slice(name.length)
      .trim()
      .split(/\s+/)[1],
  );
  return Number.isInteger(hard) ? Math.min(hard, 1_048_576) : 1_048_576;
}
