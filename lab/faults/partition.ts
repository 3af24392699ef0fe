import { ok, type Result } from '../../generators/result.ts';
import type { LabFailure } from '../machine/lab-failure.ts';
import type { Lab } from '../state/lab.ts';
import { checkHost } from '../state/lab.ts';
import type { Fault } from './fault.ts';
import { removeRules, setRules } from './firewall.ts';

export interface Partition {
  /** Hosts on the one side, and on the other. */
  readonly between: readonly string[];
  readonly and: readonly string[];
  /** `vrrp`: only what keepalived says is lost, so that both sides hold the virtual IP. */
  readonly only: 'vrrp' | 'all';
}

/** Two groups of hosts no longer hear each other. */
export const partition: Fault<Partition> = {
  summary: 'Part two groups of hosts, for VRRP or for all; undo joins them',
  inject: async (lab, { between, and, only }) => {
    const one = await silence(lab, between, { from: and, only });
    return one.ok ? silence(lab, and, { from: between, only }) : one;
  },
  undo: async (lab, { between, and }) => {
    for (const host of [...between, ...and]) {
      const removed = await removeRules(lab, host, table);
      if (!removed.ok) return removed;
    }
    return ok(undefined);
  },
};

async function silence(
  lab: Lab,
  hosts: readonly string[],
  { from, only }: { readonly from: readonly string[]; readonly only: Partition['only'] },
): Promise<Result<void, LabFailure>> {
  const unknown = from.map((host) => checkHost(lab, host)).find((known) => !known.ok);
  if (unknown) return unknown;
  const addresses = lab.state.hosts.filter(({ name }) => from.includes(name)).map(({ address }) => address);
  // Both ways on both sides, and by the sender where VRRP goes to a multicast group.
  const what = only === 'vrrp' ? 'ip protocol vrrp ' : '';
  const others = `{ ${addresses.join(', ')} }`;
  const rules = [`input ${what}ip saddr ${others} drop`, `output ${what}ip daddr ${others} drop`];
  for (const host of hosts) {
    const set = await setRules(lab, host, { table, rules });
    if (!set.ok) return set;
  }
  return ok(undefined);
}

const table = 'playsmith_partition';
