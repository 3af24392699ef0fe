import { sameName, textAt } from '../../source/foreign/look.ts';
import { addressOf, fixedOf, insideAddressOf, isServer, type Resource } from './heat.ts';
import type { Vnfc } from './instance.ts';
import {
  ambiguous,
  inactive,
  resourceNamed,
  several,
  nowhereKnown,
  vdusOf,
  whereabouts,
  type SectionMember,
  type Section,
  type TackerCloud,
} from './member.ts';
import { ofVnfc } from './vnfc.ts';

/** The machines of a section: by the instance where there is one, else by Heat, by fixed addresses, by names of servers. */
export function membersOf(section: Section, around: TackerCloud): readonly SectionMember[] {
  const vnfcs = around.vnfcs.filter((vnfc) => belongs(vnfc, section));
  if (vnfcs.length > 0) return vnfcs.map((vnfc) => ofVnfc(vnfc, section, around));
  const stacks = stacksOf(section, around.resources);
  if (stacks.length > 0) return stacks.map((stack) => ofStack(stack, section, around));
  const requested = ofRequest(section, around);
  return requested.length > 0 ? requested : ofServers(section, around);
}

const belongs = ({ vdu, points }: Vnfc, section: Section): boolean =>
  vdusOf(section).includes(sameName(vdu)) ||
  points.some(({ cpd }) => cpd !== '' && [section.nic, section.ssh].includes(cpd));

/** Stacks that hold the connection point of a section. */
const stacksOf = ({ nic, ssh }: Section, resources: readonly Resource[]): readonly (readonly Resource[])[] =>
  [
    ...new Set(
      resources.filter(({ name }) => name !== '' && [nic, ssh].includes(name)).map(({ stack }) => stack),
    ),
  ].map((wanted) => resources.filter(({ stack }) => stack === wanted));

function ofStack(stack: readonly Resource[], section: Section, { cloud }: TackerCloud): SectionMember {
  const nic = resourceNamed(stack, section.nic) ?? resourceNamed(stack, section.ssh);
  const way = resourceNamed(stack, section.ssh) ?? nic;
  const servers = stack.filter(isServer);
  const server = servers.length === 1 ? servers[0] : undefined;
  return {
    ids: [],
    server: server?.id ?? '',
    address: nic && insideAddressOf(nic, cloud),
    ssh: way && addressOf(way, cloud),
    ...whereabouts(server, cloud.server(server?.id ?? '')),
    created: server?.created ?? '',
    place: (nic ?? way)?.node.place ?? section.node.place,
    doubts: nic ? several(fixedOf(nic, cloud)) : [],
  };
}

const ofRequest = ({ nic, ssh }: Section, { requested }: TackerCloud): SectionMember[] =>
  (requested.get(nic) ?? []).map((address, index) => ({
    ...nowhereKnown,
    address,
    ssh: requested.get(ssh)?.[index] ?? address,
    place: address.place,
  }));

/** Heat names a server as its VDU, and a connection point `<VDU>_CP1`. */
const ofServers = (section: Section, { servers, cloud }: TackerCloud): SectionMember[] => {
  const names = vdusOf(section);
  return servers
    .filter((server) => names.includes(sameName(textAt(server, 'name') ?? '')))
    .map((node) => {
      const id = textAt(node, 'id') ?? '';
      const server = cloud.server(id);
      return {
        ...nowhereKnown,
        server: id,
        address: server?.fixed,
        ssh: server?.floating ?? server?.fixed,
        ...whereabouts(undefined, server),
        place: node.place,
        doubts: [...ambiguous(server), ...inactive(server?.status, node.place)],
      };
    });
};
