import { readFile } from 'node:fs/promises';
import { ok, type Result } from '../../generators/result.ts';
import { program } from '../../tasks/runtime/program.ts';
import type { Engine } from '../machine/engine.ts';
import { programFailure, type LabFailure } from '../machine/lab-failure.ts';
import type { LabState } from '../state/state.ts';
import { hostAddress } from '../state/subnet.ts';
import { labelOf, networkName } from './host-argv.ts';

/** IPv4 networks and addresses that this machine has or reaches by a route of its own, but for those of one bridge. */
export async function takenNetworks(except?: string): Promise<readonly string[]> {
  const shown = await program(['ip', '-4', '-json', 'route', 'show', 'table', 'all']);
  if (!shown.ok) return [];
  const routes = JSON.parse(shown.value.stdout || '[]') as readonly Route[];
  return routes
    .filter(({ dst, dev }) => dst !== 'default' && !dst.startsWith('127.') && (!dev || dev !== except))
    .map(({ dst }) => dst);
}

interface Route {
  readonly dst: string;
  readonly dev?: string;
}

/** A bridge of the lab's own, without a way to other networks and without name servers. */
export async function ensureNetwork(
  { podman }: Engine,
  { name, subnet }: LabState,
): Promise<Result<void, LabFailure>> {
  const network = networkName(name);
  if ((await podman(['network', 'exists', network])).ok) return ok(undefined);
  const made = await podman([
    ...['network', 'create', '--internal', '--disable-dns', '--label', labelOf(name)],
    ...['--subnet', subnet, '--gateway', hostAddress(subnet, 1), network],
  ]);
  return made.ok ? ok(undefined) : programFailure('Making the network', made.failure);
}

/** Where the machine sends bridged packets through a firewall that drops by default, as with Docker, lets the lab's pass. */
export async function letPass(engine: Engine, lab: string): Promise<Result<void, LabFailure>> {
  const filtered = await readFile('/proc/sys/net/bridge/bridge-nf-call-iptables', 'utf8').catch(() => '0');
  if (filtered.trim() !== '1') return ok(undefined);
  const policy = await program(['iptables', '-S', 'FORWARD']);
  if (!policy.ok || !policy.value.stdout.includes('-P FORWARD DROP')) return ok(undefined);
  const rule = await passRule(engine, lab);
  if (rule === undefined || (await program(['iptables', '-C', ...rule])).ok) return ok(undefined);
  const added = await program(['iptables', '-I', ...rule]);
  return added.ok ? ok(undefined) : programFailure('Letting the hosts reach each other', added.failure);
}

export async function removeNetwork(engine: Engine, lab: string): Promise<void> {
  const rule = await passRule(engine, lab);
  if (rule !== undefined && (await program(['iptables', '-C', ...rule])).ok)
    await program(['iptables', '-D', ...rule]);
  await engine.podman(['network', 'rm', '--force', networkName(lab)]);
}

/** The name of a lab's bridge, which is there as long as one of its containers runs. */
export async function bridgeOf({ podman }: Engine, lab: string): Promise<string | undefined> {
  const shown = await podman(['network', 'inspect', '--format', '{{.NetworkInterface}}', networkName(lab)]);
  return shown.ok ? shown.value.stdout.trim() : undefined;
}

async function passRule(engine: Engine, lab: string): Promise<readonly string[] | undefined> {
  const bridge = await bridgeOf(engine, lab);
  if (bridge === undefined) return undefined;
  return [
    'FORWARD',
    '-i',
    bridge,
    '-o',
    bridge,
    '-m',
    'comment',
    '--comment',
    networkName(lab),
    '-j',
    'ACCEPT',
  ];
}
