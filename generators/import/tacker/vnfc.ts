import type { ForeignNode, TextPlace } from '../../source/foreign/node.ts';
import { addressOf, fixedOf, insideAddressOf, isServer, type Resource } from './heat.ts';
import type { ConnectionPoint, Vnfc } from './instance.ts';
import {
  ambiguous,
  inactive,
  resourceNamed,
  several,
  whereabouts,
  type SectionMember,
  type Section,
  type TackerCloud,
} from './member.ts';
import type { OpenStack, CloudAddress } from './openstack.ts';

/** A VNFC of the instance: its address by its ports, else by Heat, else by its server. */
export function ofVnfc(vnfc: Vnfc, section: Section, around: TackerCloud): SectionMember {
  const stack = stackOf(vnfc, around.resources);
  const server = around.cloud.server(vnfc.server);
  const nic =
    pointNamed(vnfc, section.nic) ??
    pointNamed(vnfc, section.ssh) ??
    (vnfc.points.length === 1 ? vnfc.points[0] : undefined);
  const fixed = portAddresses(nic, around);
  const known: VnfcContext = { stack, server, nic, around };
  const address = nic?.address ?? fixed[0] ?? insideOf(section, known);
  const { computeHost, zone } = whereabouts(stack.find(isServer), server);
  return {
    ids: vnfc.ids,
    server: vnfc.server,
    address,
    ssh: wayTo(vnfc, section, known) ?? address,
    computeHost,
    zone: zone ?? around.zones.get(vnfc.ids[0] ?? ''),
    created: vnfc.created || (stack.find(isServer)?.created ?? ''),
    place: vnfc.place,
    doubts: [
      ...several(fixed),
      ...(address !== undefined && address === server?.fixed ? ambiguous(server) : []),
      ...inactive(server?.status, server?.place ?? vnfc.place),
    ],
  };
}

interface VnfcContext {
  readonly stack: readonly Resource[];
  readonly server: ReturnType<OpenStack['server']>;
  readonly nic: ConnectionPoint | undefined;
  readonly around: TackerCloud;
}

/** Where Neutron says nothing: Heat's port, else what the server has. */
function insideOf(section: Section, { stack, server, around }: VnfcContext): CloudAddress | undefined {
  const inside = resourceNamed(stack, section.nic);
  return (inside && insideAddressOf(inside, around.cloud)) ?? serverAddress(stack) ?? server?.fixed;
}

/** The floating address where there is one, as for Tacker. */
function wayTo(
  vnfc: Vnfc,
  section: Section,
  { stack, server, nic, around }: VnfcContext,
): CloudAddress | undefined {
  const way = resourceNamed(stack, section.ssh);
  const login = pointNamed(vnfc, section.ssh) ?? nic;
  return (
    (way && addressOf(way, around.cloud)) ??
    floatingOf(login, around.cloud) ??
    (login === nic ? server?.floating : undefined) ??
    portAddresses(login, around)[0]
  );
}

/** Every address that a VNFC is known by, inside and outside. */
export function addressesOfVnfc(vnfc: Vnfc, around: TackerCloud): readonly string[] {
  const points = vnfc.points.length > 0 ? vnfc.points.map(({ cpd }) => cpd) : [''];
  const found = points.map((cpd) => {
    const { address, ssh } = ofVnfc(
      vnfc,
      { node: emptyNode(vnfc.place), ssh: cpd, nic: cpd, vdu: '' },
      around,
    );
    return [address?.text, ssh?.text];
  });
  return [...new Set(found.flat().filter((text) => text !== undefined))];
}

const emptyNode = (place: TextPlace): ForeignNode => ({ kind: 'map', entries: [], place });

const pointNamed = ({ points }: Vnfc, name: string): ConnectionPoint | undefined =>
  points.find(({ cpd }) => cpd === name);

function portAddresses(
  point: ConnectionPoint | undefined,
  { cloud, resources }: TackerCloud,
): readonly CloudAddress[] {
  const ports = point?.ports ?? [];
  const listed = ports.flatMap(cloud.fixedOfPort);
  if (listed.length > 0) return listed;
  return resources.filter(({ id }) => ports.includes(id)).flatMap((resource) => fixedOf(resource, cloud));
}

const floatingOf = (point: ConnectionPoint | undefined, cloud: OpenStack): CloudAddress | undefined =>
  (point?.ports ?? []).map(cloud.floatingOfPort).find((found) => found !== undefined);

/** The resources of the stack that made a machine. */
function stackOf({ server }: Vnfc, resources: readonly Resource[]): readonly Resource[] {
  const own = resources.find(({ id }) => id !== '' && id === server);
  return own ? resources.filter(({ stack }) => stack === own.stack) : [];
}

const serverAddress = (stack: readonly Resource[]): CloudAddress | undefined => {
  const server = stack.find(isServer);
  const isAlone = stack.filter(isServer).length === 1;
  return server && isAlone ? fixedOf(server, emptyCloud)[0] : undefined;
};

const emptyCloud: OpenStack = {
  fixedOfPort: () => [],
  floatingOfPort: () => undefined,
  floatingById: () => undefined,
  server: () => undefined,
  deviceOfVolume: () => undefined,
};
