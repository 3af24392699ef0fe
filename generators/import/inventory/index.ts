import { failed, type Result } from '../../result.ts';
import {
  conclude,
  type ImportedDefinition,
  type RefusedImport,
  type ConclusionSettings,
} from '../conclude.ts';
import { agreedVariables } from './cluster-wide/agreed.ts';
import { familiesOf } from './address.ts';
import { computedValues } from './cluster-wide/computed.ts';
import { daemonsPart, nameTold, tellsAddress, withPriorities } from './daemons.ts';
import { endpointPart } from './endpoint.ts';
import { membersOf, strangeGroups, type Members } from './groups.ts';
import { isPriority } from './inventory.ts';
import { kubesprayPart } from './kubespray.ts';
import type { MemberNames } from './kubespray-installer.ts';
import { layoutPart } from './layout.ts';
import { machinesOf, type InventoryMachines } from './machines.ts';
import { plainPart } from './plain.ts';
import { withOwnReferences, withReferences } from './cluster-wide/references.ts';
import { newSpelling, scopedPart } from './scopes.ts';
import { readInventory, type ReadInventory } from './read.ts';
import { plainText, type VariablesOfHost } from './ssh.ts';
import { machinesPart } from '../machines.ts';
import { leavesOf, placeOf, type Leaf } from '../leaves.ts';
import { leftOverPart } from '../left-over.ts';
import { joinParts, part, type ImportPart, type Wishes } from '../part.ts';
import { doubtAt, type Text, type TextPlace } from '../../source/foreign/node.ts';

/** A definition of what kubespray's inventory describes, with its group_vars. */
export const importKubespray = (
  texts: readonly Text[],
  setting: ConclusionSettings,
): Result<ImportedDefinition, RefusedImport> => importInventory(texts, setting, 'kubespray');

/** A definition of any inventory of Ansible whose groups or sizes tell who does what. */
export const importAnsible = (
  texts: readonly Text[],
  setting: ConclusionSettings,
): Result<ImportedDefinition, RefusedImport> => importInventory(texts, setting, 'ansible');

type Flavour = 'kubespray' | 'ansible';

function importInventory(
  texts: readonly Text[],
  setting: ConclusionSettings,
  flavour: Flavour,
): Result<ImportedDefinition, RefusedImport> {
  const read = readInventory(texts);
  if (!read.ok) return failed({ problems: read.failure, draft: '' });
  const parts = partsOf(read.value, { texts, flavour }, setting.wishes);
  return conclude([...parts, restOf(read.value, joinParts(parts), texts)], {
    ...setting,
    sources: read.value.sources,
    name: nameOf(texts),
  });
}

/** Variables and memberships that nothing took; those of a bundle of ours follow from a definition. */
function restOf(read: ReadInventory, { pieces, taken }: ImportPart, texts: readonly Text[]): ImportPart {
  const places = new Set(taken);
  const values = new Set(saidBy(pieces));
  const generated = generatedIn(texts);
  const leaves = read.statements.flatMap((said) => {
    if (said.kind === 'group-variable') return leavesOf(said.entry, said.group);
    if (said.kind === 'overridden') return leavesOf(said.entry, said.below);
    return said.kind === 'host-variable' ? leavesOf(said.entry, said.host) : [];
  });
  const left = [...leaves, ...strangeMemberships(read)].filter(
    (leaf) =>
      !generated.has(placeOf(leaf).file) &&
      !values.has(placeOf(leaf)) &&
      !leaf.places.some((place) => places.has(place)),
  );
  // A range of hosts has its variables once.
  return leftOverPart([...new Map(left.map((leaf) => [leaf.node, leaf])).values()]);
}

/** Who is in groups that mean nothing to a definition: neither they nor what holds them, and they give no variable to their members. */
function strangeMemberships({ inventory, statements }: ReadInventory): readonly Leaf[] {
  const parents = new Map<string, string[]>();
  for (const said of statements)
    if (said.kind === 'child') parents.set(said.child, [...(parents.get(said.child) ?? []), said.group]);
  const speaking = new Set(
    statements.flatMap((said) => (said.kind === 'group-variable' ? [said.group] : [])),
  );
  const unknown = new Set(strangeGroups(inventory));
  const isUsed = (group: string, seen: readonly string[] = []): boolean =>
    !unknown.has(group) ||
    speaking.has(group) ||
    (parents.get(group) ?? []).some(
      (parent) => parent !== 'all' && !seen.includes(parent) && isUsed(parent, [...seen, group]),
    );
  const strange = new Set(inventory.groups.filter((group) => !isUsed(group)));
  return statements.flatMap((said) => {
    if ((said.kind !== 'host' && said.kind !== 'child') || !strange.has(said.group)) return [];
    const key = said.kind === 'host' ? 'hosts' : 'children';
    const text = said.kind === 'host' ? said.host : said.child;
    const node = { kind: 'scalar', text, isQuoted: true, tag: '', place: said.place } as const;
    return [{ path: `${said.group}.${key}`, key, node, places: [said.place], isName: true }];
  });
}

/** Files of a bundle of ours. */
const generatedIn = (texts: readonly Text[]): ReadonlySet<string> =>
  new Set(texts.filter(({ text }) => text.includes(ofOurs)).map(({ file }) => file));

const ofBundleOnly =
  'this is a bundle of Playsmith, of which only the inventory is read: storage, CNFs, other load balancers, labels and settings are in the definition that it was rendered from';

const ofOurs = '# Generated by Playsmith for cluster ';

/** kubespray's folder of an inventory is named as its cluster. */
const nameOf = (texts: readonly Text[]): string =>
  texts
    .map(
      ({ file }) =>
        /(?:^|\/)inventory\/([\w-]+)\//.exec(file)?.[1] ?? /(?:^|\/)playbooks\/([\w-]+)\//.exec(file)?.[1],
    )
    .find((name) => name !== undefined && !/^(?:group|host)_vars$/.test(name)) ?? '';

interface InventoryTexts {
  readonly texts: readonly Text[];
  readonly flavour: Flavour;
}

function partsOf(
  read: ReadInventory,
  { texts, flavour }: InventoryTexts,
  wishes: Wishes,
): readonly ImportPart[] {
  const members = membersOf(read.inventory);
  const isKubespray = flavour === 'kubespray' || texts.some(({ file }) => ofBundle.test(file));
  const found = machinesOf(read, members, { wishes, isKubespray });
  const layout = layoutPart(found.machines, members, strangeGroups(read.inventory));
  const placed: InventoryMachines = { ...found, machines: withPriorities(layout.machines, texts) };
  const daemons = daemonsPart(texts);
  const agreed = agreedVariables(read, members, isKubespray);
  const variables = withReferences(agreed.variables);
  const parts = [
    part({
      problems: [...read.doubts, ...oldSpellings(read), ...reflectors(read, members), ...agreed.problems],
    }),
    part({ taken: prioritiesIn(read), problems: unknownIn(variables, { texts, isKubespray, wishes }) }),
    part({ assumptions: generatedIn(texts).size > 0 ? [ofBundleOnly] : [] }),
    found.told,
    layout.told,
    machinesPart(placed.machines, wishes),
    daemons,
    endpointPart(
      {
        ...{ variables, members, found: placed, isKubespray },
        ...{ isTold: tellsAddress(daemons), name: nameTold(daemons) },
      },
      wishes,
    ),
    isKubespray
      ? joinParts([
          kubesprayPart(variables, wishes, memberNames(read, members, found)),
          ...(wishes.kubernetes === '' ? [scopedPart(read, members, found.nameOf)] : []),
        ])
      : plainPart(variables, wishes),
  ];
  const { pieces, taken } = joinParts(parts);
  return [...parts, part({ taken: agreed.alike([...taken, ...saidBy(pieces)]) })];
}

/** Where values of a definition stand; a piece without one only says where a problem is to be shown. */
const saidBy = (pieces: ImportPart['pieces']): readonly TextPlace[] =>
  pieces.flatMap(({ place, value }) => (place === undefined || value === undefined ? [] : [place]));

/** Which group counts more is in what its members come to. */
const prioritiesIn = ({ statements }: ReadInventory): ImportPart['taken'] =>
  statements.flatMap((said) =>
    said.kind === 'group-variable' && isPriority(said) ? [said.entry.keyPlace] : [],
  );

/** Files of a bundle of ours have references to secrets, which come from the definition. */
function unknownIn(
  variables: VariablesOfHost,
  { texts, isKubespray, wishes }: { texts: readonly Text[]; isKubespray: boolean; wishes: Wishes },
): ImportPart['problems'] {
  const generated = generatedIn(texts);
  const isInstaller = wishes.kubernetes === '';
  return computedValues(variables, { isKubespray, isInstaller, families: familiesOf(variables) }).filter(
    ({ file }) => !generated.has(file),
  );
}

/** Of a bundle of ours for kubespray. */
const ofBundle = /(?:^|\/)kubespray\/group_vars\/all\/all\.yml$/;

/** Members of etcd keep their names: those that are said, else those that kubespray counts. */
function memberNames(
  { inventory }: ReadInventory,
  { etcd }: Members,
  { nameOf }: InventoryMachines,
): MemberNames {
  const names = etcd.map((host, index) => {
    const variables = withOwnReferences(host, inventory.variablesOf(host));
    const said = plainText(variables.get('etcd_member_name')?.value);
    return [nameOf(host), said ?? `etcd${index + 1}`] as const;
  });
  return Object.fromEntries(names.filter(([machine, member]) => member !== `etcd-${machine}`));
}

/** Variables of groups that the inventory has by another name. */
function oldSpellings({ inventory, statements }: ReadInventory): ImportPart['problems'] {
  const first = new Map<string, TextPlace>();
  for (const said of statements)
    if (said.kind === 'group-variable' && !first.has(said.group)) first.set(said.group, said.entry.keyPlace);
  return [...first].flatMap(([group, place]) => {
    const present = newSpelling(group, inventory);
    return present === undefined
      ? []
      : [
          doubtAt(
            place,
            `no host is in the group ${group}, so its variables are not taken over`,
            `group_vars of ${present}, if they are meant for it`,
          ),
        ];
  });
}

/** Route reflectors of Calico are machines that a definition knows nothing of. */
const reflectors = ({ inventory }: ReadInventory, { reflector }: Members): ImportPart['problems'] =>
  inventory.hosts
    .filter(({ name }) => reflector.includes(name))
    .map(({ name, place }) =>
      doubtAt(
        place,
        `${name} is a route reflector of Calico; nothing of that is taken over`,
        'the group calico_rr without hosts',
      ),
    );
