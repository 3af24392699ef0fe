import type { FoundMachine } from '../machines.ts';
import { joinParts, part, type ImportPart, type Wishes } from '../part.ts';
import type { Members } from './groups.ts';
import { addressOf, noAddresses, secondAddressOf } from './address.ts';
import type { InventoryHost } from './inventory.ts';
import { withOwnReferences } from './cluster-wide/references.ts';
import { marksOf } from './marks.ts';
import { safeNames } from './names.ts';
import type { ReadInventory } from './read.ts';
import { pinnedKeys, plainText, reachedBy, unreadable, type VariablesOfHost } from './ssh.ts';
import { correctSpelling } from './spelling.ts';
import { takenByMachine } from './taken.ts';
import { parseAddress } from '../../source/networks.ts';
import { textOf } from '../../source/foreign/look.ts';
import { doubtAt, type TextPlace } from '../../source/foreign/node.ts';
import type { Problems } from '../../source/problem.ts';

/** The machines of an inventory, by the groups that they are in. */
export interface InventoryMachines {
  readonly machines: readonly FoundMachine[];
  readonly told: ImportPart;
  /** What a host of the inventory is called in the definition. */
  readonly nameOf: (host: string) => string;
}

export function machinesOf(read: ReadInventory, members: Members, asked: ImportSettings): InventoryMachines {
  const others = othersOf(read, members);
  const passedOver = new Set([...others.jumps, ...others.servers]);
  const around = aroundOf(
    { read, hosts: read.inventory.hosts.filter((host) => !passedOver.has(host)) },
    members,
    asked,
  );
  const found = around.hosts.map((host) => machineOf(host, around));
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
      part({
        problems: [
          ...others.servers.map(ownHost),
          ...others.jumps.filter(({ name }) => name !== members.bastion[0]).map(otherJump),
        ],
      }),
    ]),
    nameOf: around.nameOf,
  };
}

/** Hosts that are no machines of the cluster: jump hosts, and those where Ansible itself runs, which inventories name for tasks of their own. */
function othersOf(
  { inventory }: ReadInventory,
  { controlPlane, worker, etcd, balancer, bastion }: Members,
): Readonly<Record<'jumps' | 'servers', readonly InventoryHost[]>> {
  const used = new Set([...controlPlane, ...worker, ...etcd, ...balancer]);
  const jumps = new Set(bastion);
  const others = inventory.hosts.filter(({ name }) => !used.has(name));
  const isLocal = (name: string): boolean =>
    name === 'localhost' || textOf(inventory.variablesOf(name).get('ansible_connection')?.value) === 'local';
  return {
    jumps: others.filter(({ name }) => jumps.has(name)),
    servers: others.filter(({ name }) => !jumps.has(name) && isLocal(name)),
  };
}

const otherJump = ({ name, place }: InventoryHost): Problems[number] =>
  doubtAt(
    place,
    `only the first host of this group becomes the jump host, so ${name} is not taken over`,
    '`proxyJump` of the machines that are reached through it',
  );

const ownHost = ({ name, place }: InventoryHost): Problems[number] =>
  doubtAt(
    place,
    `${name} is where Ansible itself runs, so it becomes no machine`,
    'a group of the cluster, and `ip` with its address, if it is a node',
  );

/** What is wished, and whether kubespray installs the cluster, so that labels and taints have an effect. */
interface ImportSettings {
  readonly wishes: Wishes;
  readonly isKubespray: boolean;
}

interface InventoryContext extends ImportSettings {
  readonly read: ReadInventory;
  /** Those that become machines. */
  readonly hosts: readonly InventoryHost[];
  readonly nameOf: (host: string) => string;
  readonly rolesOf: (host: string) => readonly string[];
  readonly isMember: (host: string) => boolean;
  readonly jumpOf: (host: string) => string | undefined;
  readonly pins: ReturnType<typeof pinnedKeys>;
  readonly told: ImportPart;
}

function aroundOf(
  { read, hosts }: Pick<InventoryContext, 'read' | 'hosts'>,
  members: Members,
  asked: ImportSettings,
): InventoryContext {
  const { bastion, etcd } = members;
  const { nameOf, told } = safeNames(hosts, asked.wishes);
  const jump = bastionOf(read, members);
  return {
    ...asked,
    read,
    hosts,
    nameOf,
    told: joinParts([told, part({ taken: takenByBastion(read, bastion[0]) })]),
    rolesOf: rolesIn(members),
    isMember: (host) => etcd.includes(host),
    // The jump host itself is reached without one.
    jumpOf: (host) => (host === bastion[0] ? undefined : jump),
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
  const said = withOwnReferences(host.name, around.read.inventory.variablesOf(host.name));
  const { variables, told } = correctSpelling(said, around.wishes);
  const { ssh, doubts } = reachedBy(host.name, variables, around.jumpOf(host.name));
  const address = addressOf(host, variables);
  if (!address) return { unaddressed: { host, variables }, told };
  const roles = around.rolesOf(host.name);
  const way = ssh.host ?? host.name;
  const keys = around.pins(way, ssh.port ?? 22);
  const hasInstaller = around.isKubespray || around.wishes.kubernetes !== '';
  const { more, notes } = marksOf(variables, { roles, hasInstaller });
  const machine: FoundMachine = {
    list: roles.length === 0 ? 'hosts' : 'nodes',
    name: around.nameOf(host.name),
    address: address.text,
    roles,
    ssh: { ...ssh, host: way, ...(keys.length > 0 ? { hostKey: keys } : {}) },
    more: { ...secondAddressOf(variables), ...more },
    morePlaces: {
      labels: variables.get('node_labels')?.value.place,
      taints: variables.get('node_taints')?.value.place,
    },
    notes,
    place: host.place,
    addressPlace: address.place,
  };
  const isMember = around.isMember(host.name) && around.wishes.kubernetes === '';
  const taken = takenByMachine(variables, machine, isMember);
  const member = isMember ? variables.get('etcd_member_name')?.value : undefined;
  const problems = [
    ...doubts,
    ...unreadable(member, 'the value itself, like etcd1'),
    ...(around.isKubespray ? [...otherAccess(machine, variables), ...otherName(machine, variables)] : []),
  ];
  return { machine, told: joinParts([told, part({ problems, taken })]) };
}

/** Nodes of kubespray reach one another by `access_ip`, for which a definition has no key. */
function otherAccess({ name, address }: FoundMachine, variables: VariablesOfHost): Problems {
  const node = variables.get('access_ip')?.value;
  const access = parseAddress(plainText(node) ?? '')?.address;
  return node === undefined || access === undefined || access === parseAddress(address)?.address
    ? []
    : [
        doubtAt(
          node.place,
          `nodes and members of etcd reach ${name} at ${access} until now, and at ${address} from now on`,
          'a network in which all of them reach one another by `ip`, before the first run',
        ),
      ];
}

/** A definition calls a machine as Kubernetes calls its node. */
function otherName({ name }: FoundMachine, variables: VariablesOfHost): Problems {
  const node = variables.get('kube_override_hostname')?.value;
  const own = plainText(node);
  return node === undefined || own === undefined || own === name
    ? []
    : [
        doubtAt(
          node.place,
          `Kubernetes calls ${name} ${JSON.stringify(own)}, and playbooks look for a node by the name of its machine`,
          'the same name for both in the inventory, and no `kube_override_hostname`',
        ),
      ];
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
  const { ssh } = reachedBy(first, withOwnReferences(first, inventory.variablesOf(first)), undefined);
  const port = ssh.port === undefined || ssh.port === 22 ? '' : `:${ssh.port}`;
  return `${ssh.user === undefined ? '' : `${ssh.user}@`}${ssh.host ?? first}${port}`;
}
