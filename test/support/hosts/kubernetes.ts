import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exec, type Lab } from '../../../lab/index.ts';
import { must, on } from './lab.ts';

/** What kubectl prints, run on a control plane as its administrator. */
export const kubectl = (lab: Lab, host: string, ...words: readonly string[]): Promise<string> =>
  on(lab, host, 'kubectl', '--kubeconfig', '/etc/kubernetes/admin.conf', ...words);

/** Every node with `True` or not, as the API at `host` sees them: `cp1=True cp2=True …`, sorted. */
export async function readiness(lab: Lab, host: string): Promise<string> {
  const path = String.raw`{range .items[*]}{.metadata.name}={.status.conditions[?(@.type=="Ready")].status}{"\n"}{end}`;
  const shown = await exec(lab, host, [
    ...['timeout', '20', 'kubectl', '--kubeconfig', '/etc/kubernetes/admin.conf'],
    ...['get', 'nodes', '--output', `jsonpath=${path}`],
  ]);
  return shown.ok ? shown.value.stdout.trim().split('\n').sort().join(' ') : '';
}

export interface Write {
  readonly name: string;
  /** Seconds since the writer's start. */
  readonly asked: number;
  readonly accepted: number;
}

/** Lets the client host write through the virtual address, one ConfigMap after the other, until {@link stopWriter}; their names begin with `prefix`. */
export async function startWriter(lab: Lab, kubeconfig: string, prefix: string): Promise<void> {
  const program = await readFile(join(import.meta.dirname, 'writer.py'), 'utf8');
  await put(lab, '/run/writer.py', program);
  await put(lab, '/run/writer.conf', kubeconfig);
  await on(lab, 'client', 'rm', '--force', accepted);
  await on(
    lab,
    'client',
    ...['systemd-run', '--quiet', '--collect', `--unit=${unit}`],
    ...['python3', '/run/writer.py', '/run/writer.conf', accepted, prefix],
  );
  await on(lab, 'client', 'timeout', '20', 'sh', '-c', `until [ -s ${accepted} ]; do sleep 0.1; done`);
}

/** Every write that the API accepted, in order. */
export async function stopWriter(lab: Lab): Promise<readonly Write[]> {
  await on(lab, 'client', 'systemctl', 'stop', unit);
  const text = await on(lab, 'client', 'cat', accepted);
  return text.split('\n').map((line) => JSON.parse(line) as Write);
}

/** How many writes the API has accepted since {@link startWriter}. */
export const writesSoFar = async (lab: Lab): Promise<number> =>
  Number(await on(lab, 'client', 'sh', '-c', `wc -l < ${accepted}`));

/** The longest time that the writer went without an accepted write, in seconds. */
export const longestWait = (writes: readonly Write[]): number =>
  Math.max(...writes.map(({ accepted: at }, index) => at - (writes[index - 1]?.accepted ?? 0)));

async function put(lab: Lab, path: string, text: string): Promise<void> {
  const encoded = Buffer.from(text).toString('base64');
  must(await exec(lab, 'client', ['sh', '-c', `umask 077; echo ${encoded} | base64 -d > ${path}`]));
}

const unit = 'lab-writer';
const accepted = '/run/lab-writer.jsonl';

/** Those of Cilium's chart but for `SYS_MODULE`, `SYS_RESOURCE` and `SYSLOG`, which hosts of the lab do not have. */
export const ciliumCapabilities = {
  ciliumAgent: [
    ...['CHOWN', 'KILL', 'NET_ADMIN', 'NET_RAW', 'IPC_LOCK', 'SYS_ADMIN'],
    ...['DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'],
  ],
  cleanCiliumState: ['NET_ADMIN', 'SYS_ADMIN'],
};
