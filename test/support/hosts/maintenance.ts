import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { faults, describe, type Lab } from '../../../lab/index.ts';
import { hostStates } from '../../../lab/hosts/host-status.ts';
import { must, on } from './lab.ts';

/** A package of ours at a version, in an apt repository of files on a host. */
export async function publish(lab: Lab, host: string, version: string): Promise<void> {
  const script = `
set -e
mkdir -p /srv/patches/build/DEBIAN
cd /srv/patches
printf 'Package: lab-tool\\nVersion: %s\\nArchitecture: all\\nMaintainer: Lab <lab@example.org>\\nDescription: A package to patch\\n' "$1" > build/DEBIAN/control
dpkg-deb --build build "lab-tool_$1_all.deb" > /dev/null
for deb in lab-tool_*.deb; do
  dpkg-deb --field "$deb"
  printf 'Filename: ./%s\\nSize: %s\\nSHA256: %s\\n\\n' "$deb" "$(stat --format=%s "$deb")" "$(sha256sum "$deb" | cut -d' ' -f1)"
done > Packages
echo 'deb [trusted=yes] file:/srv/patches ./' > /etc/apt/sources.list.d/patches.list
`;
  await on(lab, host, 'sh', '-c', script, 'publish', version);
}

export const installed = (lab: Lab, host: string): Promise<string> =>
  on(lab, host, 'dpkg-query', '--show', '--showformat=${Version}', 'lab-tool');

/** Another one after each start of the host. */
export const startOf = (lab: Lab, host: string): Promise<string> =>
  on(lab, host, 'systemctl', 'show', '--property=UserspaceTimestampMonotonic', '--value');

export interface Firmware {
  /** Hosts that stay off. */
  readonly broken: Set<string>;
  readonly end: () => Promise<void>;
}

/** A container ends where a machine would begin anew: this starts it again, as a machine's firmware does. */
export function firmware(lab: Lab): Firmware {
  const broken = new Set<string>();
  let isOver = false;
  const watch = async (): Promise<void> => {
    while (!isOver) {
      const off = (await hostStates(lab.engine, lab.state)).filter(([, state]) => state === 'off');
      for (const [host] of off) if (!broken.has(host)) must(await faults.power.undo(lab, { host }));
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  };
  const watching = watch();
  return {
    broken,
    end: () => {
      isOver = true;
      return watching;
    },
  };
}

/** Runs a program of this folder on a host. */
export async function script(
  lab: Lab,
  host: string,
  name: string,
  ...words: readonly string[]
): Promise<string> {
  const text = await readFile(join(import.meta.dirname, name), 'utf8');
  return on(lab, host, 'python3', '-c', text, ...words);
}

/** Lets the client ask the workload of the lab at every node. */
export async function startAsking(lab: Lab): Promise<void> {
  const text = await readFile(join(import.meta.dirname, 'served.py'), 'utf8');
  const nodes = describe(lab).hosts.filter(({ roles }) =>
    roles.some((role) => role === 'control-plane' || role === 'worker'),
  );
  const urls = nodes.map(({ address }) => `http://${address}:30080/`);
  await on(
    lab,
    'client',
    'systemd-run',
    '--quiet',
    '--unit=lab-served',
    'python3',
    '-c',
    text,
    longestPath,
    ...urls,
  );
}

/** The longest time in which the workload did not answer at any node, in seconds. */
export async function stopAsking(lab: Lab): Promise<number> {
  const longest = Number(await on(lab, 'client', 'cat', longestPath));
  await on(lab, 'client', 'systemctl', 'stop', 'lab-served');
  return longest;
}

const longestPath = '/run/lab-served';
