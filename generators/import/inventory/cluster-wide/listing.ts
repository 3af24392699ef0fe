import { isAlike } from '../../../source/foreign/look.ts';
import { doubtAt, type MapEntry, type TextPlace } from '../../../source/foreign/node.ts';
import { inventoryOf } from '../inventory.ts';
import { combine, type InventoryStatements, type Statement } from '../statements.ts';

/**
 * `ansible-inventory --list` without `--export` says each variable for each host. What is the same for all of them, or for all
 * of the cluster, is taken for all, since a machine that comes later is to have it too.
 */
export function withShared(said: InventoryStatements, place: TextPlace): InventoryStatements {
  if (said.statements.some(({ kind }) => kind === 'group-variable')) return said;
  const inventory = inventoryOf(said.statements);
  const cluster = inventory.groups.find((group) => /^k8s[_-]cluster$/.test(group));
  const everywhere = sharedBy(
    'all',
    inventory.hosts.map(({ name }) => name),
    said.statements,
  );
  const found =
    cluster === undefined ? everywhere : sharedBy(cluster, inventory.membersOf(cluster), everywhere);
  return found.length === said.statements.length
    ? said
    : combine([
        { statements: found, problems: [doubtAt(place, ...scopeless)] },
        { ...said, statements: [] },
      ]);
}

const scopeless = [
  'this listing says each variable for each host; what all have alike is taken for all',
  'ansible-inventory --list --export, which says for whom a variable was set',
] as const;

/** The statements with one for the group in place of those that all its hosts have alike. */
function sharedBy(
  group: string,
  hosts: readonly string[],
  statements: readonly Statement[],
): readonly Statement[] {
  const own = new Map(hosts.map((host) => [host, new Map<string, MapEntry>()]));
  for (const said of statements)
    if (said.kind === 'host-variable') own.get(said.host)?.set(said.entry.key, said.entry);
  const [first, ...others] = own.values();
  const shared = new Set(
    others.length === 0
      ? []
      : [...(first?.values() ?? [])].filter((entry) =>
          others.every((each) => isAlike(each.get(entry.key), entry)),
        ),
  );
  const keys = new Set([...shared].map(({ key }) => key));
  return [
    ...[...shared].map((entry): Statement => ({ kind: 'group-variable', group, entry })),
    ...statements.filter(
      (said) => !(said.kind === 'host-variable' && own.has(said.host) && keys.has(said.entry.key)),
    ),
  ];
}
