import { failed, type Result } from '../../result.ts';
import { conclude, type Imported, type Refused, type Setting } from '../conclude.ts';
import { daemonsPart, tellsAddress, withPriorities } from './daemons.ts';
import { endpointPart } from './endpoint.ts';
import { membersOf, type Members } from './groups.ts';
import { kubesprayPart } from './kubespray.ts';
import type { MemberNames } from './kubespray-installer.ts';
import { layoutPart } from './layout.ts';
import { machinesOf, type Found } from './machines.ts';
import { plainPart } from './plain.ts';
import { readInventory, type ReadInventory } from './read.ts';
import { plainText } from './ssh.ts';
import { machinesPart } from '../machines.ts';
import { part, type Part, type Wishes } from '../part.ts';
import { doubtAt, type Text } from '../../source/foreign/node.ts';

/** A definition of what kubespray's inventory describes, with its group_vars. */
export const importKubespray = (texts: readonly Text[], setting: Setting): Result<Imported, Refused> =>
  imported(texts, setting, 'kubespray');

/** A definition of any inventory of Ansible whose groups or sizes tell who does what. */
export const importAnsible = (texts: readonly Text[], setting: Setting): Result<Imported, Refused> =>
  imported(texts, setting, 'ansible');

type Flavour = 'kubespray' | 'ansible';

function imported(texts: readonly Text[], setting: Setting, flavour: Flavour): Result<Imported, Refused> {
  const read = readInventory(texts);
  if (!read.ok) return failed({ problems: read.failure, draft: '' });
  return conclude(partsOf(read.value, { texts, flavour }, setting.wishes), {
    ...setting,
    sources: read.value.sources,
    name: nameOf(texts),
  });
}

/** kubespray's folder of an inventory is named as its cluster. */
const nameOf = (texts: readonly Text[]): string =>
  texts
    .map(
      ({ file }) =>
        /(?:^|\/)inventory\/([\w-]+)\//.exec(file)?.[1] ?? /(?:^|\/)playbooks\/([\w-]+)\//.exec(file)?.[1],
    )
    .find((name) => name !== undefined && !/^(?:group|host)_vars$/.test(name)) ?? '';

interface Told {
  readonly texts: readonly Text[];
  readonly flavour: Flavour;
}

function partsOf(read: ReadInventory, { texts, flavour }: Told, wishes: Wishes): readonly Part[] {
  const members = membersOf(read.inventory);
  const isKubespray = flavour === 'kubespray' || texts.some(({ file }) => ofBundle.test(file));
  const found = machinesOf(read, members, { wishes, isKubespray });
  const layout = layoutPart(found.machines, members);
  const placed: Found = { ...found, machines: withPriorities(layout.machines, texts) };
  const daemons = daemonsPart(texts);
  const leader = members.controlPlane[0] ?? read.inventory.hosts[0]?.name ?? '';
  const variables = new Map([...read.inventory.groupVariables, ...read.inventory.variablesOf(leader)]);
  return [
    part({ problems: [...read.doubts, ...reflectors(read, members)] }),
    found.told,
    layout.told,
    machinesPart(placed.machines, wishes),
    daemons,
    endpointPart({ variables, members, found: placed, isTold: tellsAddress(daemons) }, wishes),
    isKubespray
      ? kubesprayPart(variables, wishes, memberNames(read, members, found))
      : plainPart(variables, wishes),
  ];
}

/** Of a bundle of ours for kubespray. */
const ofBundle = /(?:^|\/)kubespray\/group_vars\/all\/all\.yml$/;

/** Members of etcd keep their names: those that are said, else those that kubespray counts. */
function memberNames({ inventory }: ReadInventory, { etcd }: Members, { nameOf }: Found): MemberNames {
  const names = etcd.map((host, index) => {
    const said = plainText(inventory.variablesOf(host).get('etcd_member_name')?.value);
    return [nameOf(host), said ?? `etcd${index + 1}`] as const;
  });
  return Object.fromEntries(names.filter(([machine, member]) => member !== `etcd-${machine}`));
}

/** Route reflectors of Calico are machines that a definition knows nothing of. */
const reflectors = ({ inventory }: ReadInventory, { reflector }: Members): Part['problems'] =>
  inventory.hosts
    .filter(({ name }) => reflector.includes(name))
    .map(({ name, place }) =>
      doubtAt(
        place,
        `${name} is a route reflector of Calico; nothing of that is taken over`,
        'the group calico_rr without hosts',
      ),
    );
