import { describe, exec, type Lab } from '../../../lab/index.ts';
import { machineProcesses } from '../../../lab/hosts/virtual/processes.ts';
import { on, until } from './lab.ts';

export const inShell = (lab: Lab, host: string, script: string): Promise<string> =>
  on(lab, host, 'sh', '-euc', script);

export const addressOf = (lab: Lab, host: string): string =>
  describe(lab).hosts.find((each) => each.name === host)?.address ?? '';

/** The hosts of a lab that QEMU runs now. */
export const runByQemu = async ({ engine: { place }, state }: Lab): Promise<readonly string[]> =>
  [...(await machineProcesses(place, state.name)).keys()].sort();

/** Another one after every start of a kernel. */
const bootOf = (lab: Lab, host: string): Promise<string> =>
  on(lab, host, 'cat', '/proc/sys/kernel/random/boot_id');

/** Lets a host reboot itself, as an administrator does, and waits until systemd has started everything again. */
export async function reboot(lab: Lab, host: string): Promise<void> {
  const before = await bootOf(lab, host);
  await on(lab, host, 'systemctl', '--no-block', 'reboot');
  await until(`${host} is up again`, async () => await hasRebooted(lab, host, before), 300);
}

async function hasRebooted(lab: Lab, host: string, before: string): Promise<boolean> {
  const script = 'cat /proc/sys/kernel/random/boot_id; systemctl is-system-running --wait || true';
  const asked = await exec(lab, host, ['sh', '-c', script], { timeout: 240 });
  const [boot, state] = asked.ok ? asked.value.stdout.trim().split('\n') : [before];
  return boot !== before && (state === 'running' || state === 'degraded');
}

/** Percent of ten quick packets that get no answer. */
export async function lost(lab: Lab, from: string, to: string): Promise<number> {
  const ping = ['ping', '-q', '-c', '10', '-i', '0.05', '-W', '1', addressOf(lab, to)];
  const pinged = await exec(lab, from, ping);
  return pinged.ok ? Number(/([\d.]+)% packet loss/.exec(pinged.value.stdout)?.[1]) : 100;
}
