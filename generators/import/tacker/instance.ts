import { field, fieldAt, itemsOf, textAt } from '../../source/foreign/look.ts';
import type { ForeignNode, TextPlace } from '../../source/foreign/node.ts';
import { cloudAddress, type CloudAddress } from './openstack.ts';

/** One VNFC of a VNF instance: a machine. */
export interface Vnfc {
  /** What a HealVnfRequest names: v1 the resource, v2 `<vduId>-<resourceId>`. */
  readonly ids: readonly string[];
  readonly vdu: string;
  readonly server: string;
  readonly created: string;
  readonly points: readonly ConnectionPoint[];
  readonly storages: readonly string[];
  readonly place: TextPlace;
}

export interface ConnectionPoint {
  readonly cpd: string;
  /** Neutron's identifiers of the port, whichever of them is the right one. */
  readonly ports: readonly string[];
  /** Told only where a request fixed it. */
  readonly address: CloudAddress | undefined;
}

/** The machines of a VNF instance, of either version of the API. */
export function vnfcsOf(instance: ForeignNode | undefined): readonly Vnfc[] {
  const info = field(instance, 'instantiatedVnfInfo');
  const infos = itemsOf(field(info, 'vnfcInfo'));
  const linkPorts = portsByPoint(info);
  return itemsOf(field(info, 'vnfcResourceInfo')).map((node) => {
    const id = textAt(node, 'id') ?? '';
    const server = textAt(node, 'computeResource', 'resourceId') ?? '';
    const vdu = textAt(node, 'vduId') ?? '';
    const named = infos
      .filter((each) => textAt(each, 'vnfcResourceInfoId') === id)
      .flatMap((each) => textAt(each, 'id') ?? []);
    return {
      ids: [...new Set([id, ...named, `${vdu}-${id}`, `${vdu}-${server}`])],
      vdu,
      server,
      created: textAt(node, 'metadata', 'creation_time') ?? '',
      points: itemsOf(field(node, 'vnfcCpInfo')).map((point) => pointOf(point, info, linkPorts)),
      storages: itemsOf(field(node, 'storageResourceIds')).flatMap((each) => cloudAddress(each)?.text ?? []),
      place: node.place,
    };
  });
}

type LinkPorts = ReadonlyMap<string, readonly string[]>;

/** Neutron ports by the connection point that they belong to, and by their own identifier. */
function portsByPoint(info: ForeignNode | undefined): LinkPorts {
  const links = ['vnfVirtualLinkResourceInfo', 'extVirtualLinkInfo', 'extManagedVirtualLinkInfo'].flatMap(
    (name) => itemsOf(field(info, name)),
  );
  const ports = links.flatMap((link) =>
    ['vnfLinkPorts', 'extLinkPorts', 'vnfNetAttDefResource'].flatMap((name) => itemsOf(field(link, name))),
  );
  const found = new Map<string, string[]>();
  for (const port of ports)
    for (const name of ['cpInstanceId', 'id']) {
      const key = textAt(port, name);
      const id = textAt(port, 'resourceHandle', 'resourceId');
      if (key !== undefined && id !== undefined) found.set(key, [...(found.get(key) ?? []), id]);
    }
  return found;
}

function pointOf(point: ForeignNode, info: ForeignNode | undefined, linkPorts: LinkPorts): ConnectionPoint {
  const id = textAt(point, 'id') ?? '';
  const outside = itemsOf(field(info, 'extCpInfo')).find(
    (each) => textAt(each, 'id') === textAt(point, 'vnfExtCpId') || textAt(each, 'associatedVnfcCpId') === id,
  );
  const external = textAt(outside, 'extLinkPortId') ?? '';
  const keys = [id, textAt(point, 'vnfLinkPortId') ?? '', textAt(outside, 'id') ?? '', external].filter(
    Boolean,
  );
  const ports = [...keys.flatMap((key) => linkPorts.get(key) ?? []), external.replace(/^(?:req|res)-/, '')];
  return {
    cpd: textAt(point, 'cpdId') ?? '',
    ports: [...new Set(ports.filter((port) => port !== ''))],
    address: protocolAddress(point) ?? protocolAddress(outside),
  };
}

/** The fixed address of connection point information or of its configuration in a request. */
export function protocolAddress(node: ForeignNode | undefined): CloudAddress | undefined {
  return protocolAddresses(node)[0];
}

export const protocolAddresses = (node: ForeignNode | undefined): readonly CloudAddress[] =>
  ['cpProtocolInfo', 'cpProtocolData']
    .flatMap((name) => itemsOf(field(node, name)))
    .flatMap((each) => itemsOf(fieldAt(each, 'ipOverEthernet', 'ipAddresses')))
    .flatMap((each) => ['addresses', 'fixedAddresses'].flatMap((name) => itemsOf(field(each, name))))
    .flatMap((each) => cloudAddress(each) ?? []);

/** Fixed addresses that an InstantiateVnfRequest asks for, by connection point; v1 and v2 write `cpConfig` differently. */
export function requestedAddresses(
  request: ForeignNode | undefined,
): ReadonlyMap<string, readonly CloudAddress[]> {
  const points = itemsOf(field(request, 'extVirtualLinks')).flatMap((link) => itemsOf(field(link, 'extCps')));
  const found = new Map<string, readonly CloudAddress[]>();
  for (const point of points) {
    const cpd = textAt(point, 'cpdId') ?? '';
    const addresses = itemsOf(field(point, 'cpConfig')).flatMap(protocolAddresses);
    found.set(cpd, [...(found.get(cpd) ?? []), ...addresses]);
  }
  return found;
}

/** Whether an instance is made of pods, not of servers. */
export const isOfCnf = (instance: ForeignNode | undefined): boolean =>
  itemsOf(fieldAt(instance, 'instantiatedVnfInfo', 'vnfcResourceInfo')).some((each) =>
    workloads.includes(textAt(each, 'computeResource', 'vimLevelResourceType') ?? ''),
  );

const workloads = ['Pod', 'Deployment', 'StatefulSet', 'ReplicaSet', 'DaemonSet'];
