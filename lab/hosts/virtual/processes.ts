import { readFile, readdir } from 'node:fs/promises';
import { basename, dirname, extname } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import type { LabPlace } from '../../machine/place.ts';
import { runFolder } from './files.ts';

/** The processes of a lab's virtual machines, by host; found by their own words, so that nobody else's is ever taken for one. */
export async function machineProcesses(
  place: LabPlace,
  lab: string,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const found = new Map<string, readonly number[]>();
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const host = machineOf(text.split('\0'), runFolder(place, lab));
    if (host !== undefined) found.set(host, [...(found.get(host) ?? []), Number(pid)]);
  }
  return found;
}

/** Which host's virtual machine a process is, by the words that it was started with. */
export function machineOf(argv: readonly string[], folder: string): string | undefined {
  if (!basename(argv[0] ?? '').startsWith('qemu-system-')) return undefined;
  const file = argv[argv.indexOf('-pidfile') + 1] ?? '';
  return dirname(file) === folder && extname(file) === '.pid' ? basename(file, '.pid') : undefined;
}

/** Ends the virtual machines of a lab, or those of some hosts, as a power cut does; back when they are gone. */
export async function endMachines(place: LabPlace, lab: string, hosts?: readonly string[]): Promise<void> {
  for (;;) {
    const running = [...(await machineProcesses(place, lab))].filter(
      ([host]) => hosts === undefined || hosts.includes(host),
    );
    if (running.length === 0) return;
    for (const pid of running.flatMap(([, pids]) => pids)) kill(pid);
    await wait(50);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended by itself meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
