import { setTimeout as sleep } from 'node:timers/promises';
import { failed, type Result } from '../../generators/result.ts';
import type { Failure } from '../../tasks/runtime/failures.ts';
import { faults } from '../faults/index.ts';
import { describe } from '../hosts/describe.ts';
import { exec } from '../hosts/exec.ts';
import type { OnProgress } from '../machine/lab-failure.ts';
import type { Lab } from '../state/lab.ts';
import type { ProbeResult } from './probe-result.ts';
import { startProbe, stopProbe } from './probe.ts';

/** Cuts the power of whoever holds the virtual address while a client asks it, says what the client saw, boots the host again. */
export async function loseHolder(lab: Lab, tell: OnProgress): Promise<Result<void, Failure>> {
  const url = `https://${describe(lab).vip}:6440/readyz`;
  const holder = await holderOf(lab);
  if (holder === undefined) return nobodyHolds(url);
  tell(`${holder} holds the virtual address; a client asks ${url} twenty times a second`);
  const probing = await startProbe(lab, url);
  if (!probing.ok) return probing;
  await sleep(3000);
  tell(`cutting the power of ${holder}`);
  const cut = await faults.power.inject(lab, { host: holder });
  if (!cut.ok) return cut;
  await sleep(8000);
  const seen = await stopProbe(lab);
  if (!seen.ok) return seen;
  const next = await holderOf(lab);
  if (next === undefined || seen.value.gaps.some(({ from, seconds }) => from + seconds >= seen.value.seconds))
    return nobodyHolds(url);
  sayWhatWasSeen(next, seen.value, tell);
  tell(`booting ${holder} again`);
  return faults.power.undo(lab, { host: holder });
}

function sayWhatWasSeen(
  holder: string,
  { asked, answered, answeredBy, gaps }: ProbeResult,
  tell: OnProgress,
): void {
  const names = answeredBy.map(({ name }) => name).filter((name) => name !== '');
  const by = names.length > 0 ? `, by ${names.join(', ')}` : '';
  const outage = gaps.reduce((longest, { seconds }) => Math.max(longest, seconds), 0);
  tell(`${holder} holds it now. ${answered} of ${asked} requests were answered${by}`);
  tell(
    outage === 0
      ? 'No client waited longer than 0.3 s'
      : `Clients were without an answer for ${outage.toFixed(2)} s`,
  );
}

const nobodyHolds = (url: string): Result<never, Failure> =>
  failed({
    kind: 'lab',
    message: `${url} does not answer`,
    evidence: '',
    next: 'npx task lab status; npx task logs',
  });

/** The control plane or load balancer that has the virtual address now. */
async function holderOf(lab: Lab): Promise<string | undefined> {
  const { vip, hosts } = describe(lab);
  for (const { name, roles } of hosts) {
    if (!roles.includes('control-plane') && !roles.includes('load-balancer')) continue;
    const addresses = await exec(lab, name, ['ip', '-brief', 'address']);
    if (addresses.ok && addresses.value.stdout.includes(` ${vip}/`)) return name;
  }
  return undefined;
}
