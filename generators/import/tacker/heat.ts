import { field, fieldAt, itemsOf, textAt } from '../../source/foreign/look.ts';
import type { ForeignNode } from '../../source/foreign/node.ts';
import {
  addressesOf,
  deviceOf,
  fixedAddresses,
  cloudAddress,
  type OpenStack,
  type CloudAddress,
} from './openstack.ts';

/** A resource of a Heat stack. */
export interface Resource {
  readonly name: string;
  readonly type: string;
  readonly id: string;
  /** Tells stacks apart: resources of one machine have the same. */
  readonly stack: string;
  /** The resource that the nested stack hangs at, or empty. */
  readonly parent: string;
  readonly created: string;
  readonly node: ForeignNode;
}

/** `openstack stack resource list` has no attributes, `… show` has: one resource may come from both. */
export function heatResources(nodes: readonly ForeignNode[]): readonly Resource[] {
  const merged = new Map<string, Resource>();
  for (const node of nodes) {
    const resource = resourceOf(node);
    const key = resource.id === '' ? `${resource.stack} ${resource.name}` : resource.id;
    const known = merged.get(key);
    merged.set(key, known ? better(known, resource) : resource);
  }
  return [...merged.values()];
}

const resourceOf = (node: ForeignNode): Resource => ({
  name: textAt(node, 'resource_name') ?? '',
  type: textAt(node, 'resource_type') ?? '',
  id: textAt(node, 'physical_resource_id') ?? '',
  stack: stackLink(node) ?? textAt(node, 'stack_name') ?? textAt(node, 'parent_resource') ?? '',
  parent: textAt(node, 'parent_resource') ?? '',
  created: textAt(node, 'creation_time') ?? textAt(node, 'attributes', 'created') ?? '',
  node,
});

const stackLink = (node: ForeignNode): string | undefined =>
  itemsOf(field(node, 'links'))
    .filter((link) => textAt(link, 'rel') === 'stack')
    .map((link) => textAt(link, 'href')?.replace(/^.*\/stacks\//, ''))
    .find((href) => href !== undefined);

const better = (known: Resource, other: Resource): Resource => {
  const [rich, poor] = field(other.node, 'attributes') ? [other, known] : [known, other];
  return {
    ...rich,
    parent: rich.parent || poor.parent,
    created: rich.created || poor.created,
    stack: poor.stack || rich.stack,
  };
};

/** The address that a port, a floating address or a server of Heat has; a floating one counts more, as for Tacker. */
export function addressOf(resource: Resource, cloud: OpenStack): CloudAddress | undefined {
  const { node, id } = resource;
  return (
    cloudAddress(fieldAt(node, 'attributes', 'floating_ip_address')) ??
    fixedOf(resource, cloud)[0] ??
    cloud.floatingById(id) ??
    cloud.server(id)?.fixed
  );
}

/** What the drivers take is the first of them. */
export const fixedOf = ({ node, id }: Resource, cloud: OpenStack): readonly CloudAddress[] => {
  const own = fixedAddresses(fieldAt(node, 'attributes', 'fixed_ips'));
  return own.length > 0 ? own : cloud.fixedOfPort(id);
};

/** The address behind a floating one, of a port, or of a server. */
export const insideAddressOf = (resource: Resource, cloud: OpenStack): CloudAddress | undefined =>
  cloudAddress(fieldAt(resource.node, 'attributes', 'fixed_ip_address')) ??
  fixedOf(resource, cloud)[0] ??
  addressesOf(fieldAt(resource.node, 'attributes', 'addresses')).find(({ kind }) => kind !== 'floating');

export const isServer = ({ type }: Resource): boolean => type === 'OS::Nova::Server';

export const volumeDevice = (resource: Resource, cloud: OpenStack): string | undefined =>
  deviceOf(field(resource.node, 'attributes')) ?? cloud.deviceOfVolume(resource.id);
