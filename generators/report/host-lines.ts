import type { CollectedTask, Collector } from './collector.ts';
import type { HostLine } from './report.ts';

type Sums = { -readonly [Key in keyof Omit<HostLine, 'name'>]: HostLine[Key] };

/** What each host did, counted from how tasks ended on it; in the order in which hosts were first heard of. */
export function hostLines({ hosts, tasks }: Pick<Collector, 'hosts' | 'tasks'>): readonly HostLine[] {
  const sums = [...hosts.keys()].map(nothingYet);
  for (const task of tasks) {
    for (const { host, from, to, status } of task.ends) {
      const sum = sums[host];
      if (sum === undefined) continue;
      // Ansible's recap counts what changed as ok too.
      sum.ok += status === 'ok' || status === 'changed' || status === 'ignored' ? 1 : 0;
      if (status !== 'ok') sum[status] += 1;
      sum.busy += Math.round(to - from);
    }
    const { host, alone } = laggard(task);
    const sum = sums[host];
    if (sum !== undefined) sum.heldUp += Math.round(alone);
  }
  return [...hosts.keys()].map((name, index) => ({ name, ...(sums[index] ?? nothingYet()) }));
}

const nothingYet = (): Sums => ({
  ...{ ok: 0, changed: 0, failed: 0, unreachable: 0, skipped: 0, ignored: 0 },
  ...{ busy: 0, heldUp: 0 },
});

/** The host for which all others waited, and for how long it was the only one. */
function laggard({ ends }: CollectedTask): { readonly host: number; readonly alone: number } {
  let [first, second] = [undefined as (typeof ends)[number] | undefined, -Infinity];
  for (const each of ends)
    if (first === undefined || each.to > first.to) [second, first] = [first?.to ?? -Infinity, each];
    else second = Math.max(second, each.to);
  return first === undefined || second === -Infinity
    ? { host: -1, alone: 0 }
    : { host: first.host, alone: first.to - second };
}
