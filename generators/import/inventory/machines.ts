import type { FoundMachine } from '../machines.ts';
import { joinParts, part, type ImportPart, type Wishes } from '../part.ts';
import type { Members } from './groups.ts';
import { addressOf, noAddresses, secondAddressOf } from './address.ts';
import type { InventoryHost } from './inventory.ts';
import { marksOf } from './marks.ts';
import { safeNames } from './names.ts';
import type { ReadInventory } from './read.ts';
import { pinnedKeys, reachedBy, type VariablesOfHost } from './ssh.ts';
import { correctSpelling } from './spelling.ts';
import { takenByMachine } from './taken.ts';
import type { TextPlace } from '../../source/foreign/node.ts';

/** The machines of an inventory, by the groups that they are in. */
export interface InventoryMachines {
  readonly machines: readonly FoundMachine[];
  readonly told: ImportPart;
  /** What a host of the inventory is called in the definition. */
  readonly nameOf: (host: string) => string;
}

export function machinesOf(read: ReadInventory, members: Members, asked: ImportSettings): InventoryMachines {
  const around = aroundOf(read, members, asked);
  const found = read.inventory.hosts
    .filter(({ name }) => !members.bastion.includes(name))
    .map((host) => machineOf(host, around));
  const machines = found.flatMap(({ machine }) => machine ?? []);
  return {
    machines: [
      ...withControlPlanesInOrder(
        machines.filter(({ list }) => list === 'nodes'),
        members.controlPlane.map(around.nameOf),
      ),
      ...machines.filter(({ list }) => list === 'hosts'),
    ],
    told: joinParts([
      around.told,
      ...found.map(({ told }) => told),
      noAddresses(found.flatMap(({ unaddressed }) => unaddressed ?? [])),
    ]),
    nameOf: around.nameOf,
  };
}

/** What is wished, and whether kubespray installs the cluster, so that labels and taints have an effect. */
interface ImportSettings {
  readonly wishes: Wishes;
  readonly isKubespray: boolean;
}

interface InventoryContext extends ImportSettings {
  readonly read: ReadInventory;
  readonly nameOf: (host: string) => string;
  readonly rolesOf: (host: string) => readonly string[];
  readonly isMember: (host: string) => boolean;
  readonly jump: string | undefined;
  readonly pins: ReturnType<typeof pinnedKeys>;
  readonly told: ImportPart;
}

function aroundOf(read: ReadInventory, members: Members, asked: ImportSettings): InventoryContext {
  const { bastion, etcd } = members;
  const { nameOf, told } = safeNames(
    read.inventory.hosts.filter(({ name }) => !bastion.includes(name)),
    asked.wishes,
  );
  return {
    ...asked,
    read,
    nameOf,
    told: joinParts([told, part({ taken: takenByBastion(read, bastion[0]) })]),
    rolesOf: rolesIn(members),
    isMember: (host) => etcd.includes(host),
    jump: bastionOf(read, members),
    pins: pinnedKeys(read.knownHosts),
  };
}

function machineOf(
  host: InventoryHost,
  around: InventoryContext,
): {
  readonly machine?: FoundMachine;
  readonly unaddressed?: { readonly host: InventoryHost; readonly variables: VariablesOfHost };
  readonly told: ImportPart;
} {
  const { variables, told } = correctSpelling(around.read.inventory.variablesOf(host.name), around.wishes);
  const { ssh, doubts } = reachedBy(host.name, variables, around.jump);
  const address = addressOf(host, variables);
  if (!address) return { unaddressed: { host, variables }, told };
  const roles = around.rolesOf(host.name);
  const way = ssh.host ?? host.name;
  const keys = around.pins(way, ssh.port ?? 22);
  const { more, notes } = marksOf(variables, around.isKubespray || around.wishes.kubernetes !== '');
  const machine: FoundMachine = {
    list: roles.length === 0 ? 'hosts' : 'nodes',
    name: around.nameOf(host.name),
    address: address.text,
    roles,
    ssh: { ...ssh, host: way, ...(keys.length > 0 ? { hostKey: keys } : {}) },
    more: { ...secondAddressOf(variables), ...more },
    notes,
    place: host.place,
    addressPlace: address.place,
  };
  const taken = takenByMachine(variables, machine, around.isMember(host.name));
  return { machine, told: joinParts([told, part({ problems: doubts, taken })]) };
}

/** etcd is said only where it does not stand on exactly the control planes. */
function rolesIn({ controlPlane, worker, etcd }: Members): (host: string) => readonly string[] {
  const controlPlanes = new Set(controlPlane);
  const workers = new Set(worker);
  const members = new Set(etcd);
  const isOwn =
    etcd.length > 0 && (etcd.length !== controlPlanes.size || etcd.some((host) => !controlPlanes.has(host)));
  return (host) => [
    ...(controlPlanes.has(host) ? ['control-plane'] : []),
    ...(isOwn && members.has(host) ? ['etcd'] : []),
    ...(workers.has(host) ? ['worker'] : []),
  ];
}

/** The first control plane of the group is the first of the definition. */
function withControlPlanesInOrder(
  nodes: readonly FoundMachine[],
  controlPlanes: readonly string[],
): FoundMachine[] {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const ordered = controlPlanes.flatMap((name) => byName.get(name) ?? []).values();
  const isControlPlane = new Set(controlPlanes);
  return nodes.map((node) => (isControlPlane.has(node.name) ? (ordered.next().value ?? node) : node));
}

/** The jump host is one word, which these make. */
const takenByBastion = ({ inventory }: ReadInventory, first: string | undefined): readonly TextPlace[] =>
  ['ansible_host', 'ansible_ssh_host', 'ansible_port', 'ansible_user', 'ansible_ssh_user'].flatMap((name) =>
    first === undefined ? [] : (inventory.variablesOf(first).get(name)?.keyPlace ?? []),
  );

/** The jump host of all others, as kubespray takes the first of its group. */
function bastionOf({ inventory }: ReadInventory, { bastion: [first] }: Members): string | undefined {
  if (first === undefined) return undefined;
  const { ssh } = reachedBy(first, inventory.variablesOf(first), undefined);
  const port = ssh.port === undefined || ssh.port === 22 ? '' : `:${ssh.port}`;
  return `${ssh.user === undefined ? '' : `${ssh.user}@`}${ssh.host ?? first}${port}`;
}
