import { ok, type Result } from '../../generators/result.ts';
import type { LabFailure } from '../machine/lab-failure.ts';
import type { Lab } from '../state/lab.ts';
import { inNetwork } from './namespace.ts';

/** Sets rules in the network of a host, in place of those of the same table. */
export async function setRules(
  lab: Lab,
  host: string,
  { table, rules }: { readonly table: string; readonly rules: readonly string[] },
): Promise<Result<void, LabFailure>> {
  const chains = ['input', 'output'].map((hook) => {
    const own = rules
      .filter((rule) => rule.startsWith(`${hook} `))
      .map((rule) => rule.slice(hook.length + 1));
    return `chain ${hook} { type filter hook ${hook} priority -300;\n${own.join('\n')}\n}`;
  });
  const text = [
    `add table inet ${table}`,
    `delete table inet ${table}`,
    `table inet ${table} {`,
    ...chains,
    '}',
  ];
  const set = await inNetwork(lab, host, ['nft', text.join('\n')]);
  return set.ok ? ok(undefined) : set;
}

/** Takes a table of rules away, also where there is none. */
export async function removeRules(lab: Lab, host: string, table: string): Promise<Result<void, LabFailure>> {
  const removed = await inNetwork(lab, host, ['nft', `add table inet ${table}; delete table inet ${table}`]);
  return removed.ok ? ok(undefined) : removed;
}
