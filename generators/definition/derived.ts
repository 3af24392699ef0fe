import { createHash } from 'node:crypto';
import { defaults } from './defaults.ts';
import { hasGap } from './gaps.ts';
import { networkOf, parseAddress, parseBlock, type Block, type Family } from '../source/networks.ts';
import type { Draft } from './schema/schema.ts';

/** The labels behind `zone` and `computeHost`. The second is the one that Tacker gives, so that its CNFs find it. */
export const nodeLabels = { zone: 'topology.kubernetes.io/zone', computeHost: 'CIS-node' } as const;

/** What follows from a definition without being written in it. All of it also works on a draft. */
export type Placement =
  | { readonly kind: 'stacked' | 'external' | 'local' | 'none' }
  | { readonly kind: 'dedicated'; readonly hosts: readonly string[] };

/** A node of a draft, as it is written. */
export type DraftNode = NonNullable<NonNullable<Draft['nodes']>[number]>;

export const controlPlanesOf = (draft: Draft): readonly DraftNode[] =>
  nodesOf(draft).filter((node) => rolesOf(node).includes('control-plane'));

const nodesOf = (draft: Draft): readonly DraftNode[] =>
  (draft.nodes ?? []).filter((node) => node !== undefined);

export const rolesOf = (node: DraftNode): readonly string[] =>
  node.roles?.filter((role) => role !== undefined) ?? ['worker'];

export function placementOf(draft: Draft): Placement {
  const written = draft.controlPlaneEndpoint?.loadBalancer?.placement;
  if (typeof written === 'string') return { kind: written };
  if (written) return { kind: 'dedicated', hosts: written.hosts?.filter((name) => name !== undefined) ?? [] };
  return { kind: draft.controlPlaneEndpoint && controlPlanesOf(draft).length > 1 ? 'stacked' : 'none' };
}

export function endpointPortOf(draft: Draft): number {
  const written = draft.controlPlaneEndpoint?.port;
  if (written !== undefined) return written;
  const { kind } = placementOf(draft);
  return kind === 'stacked'
    ? defaults.stackedPort
    : kind === 'none' || kind === 'local'
      ? apiServerPortOf(draft)
      : defaults.endpointPort;
}

export const apiServerPortOf = (draft: Draft): number =>
  draft.network?.apiServerPort ?? defaults.apiServerPort;

/** The virtual address with its prefix, or the one control plane's with that of its network. */
export function endpointOf(draft: Draft): Block | undefined {
  if (hasGap(draft, 'controlPlaneEndpoint.address')) return undefined;
  const written = draft.controlPlaneEndpoint?.address;
  if (written !== undefined) return parseBlock(written);
  const own = parseAddress(controlPlanesOf(draft)[0]?.address ?? '');
  const network = own && nodeSubnetsOf(draft).find(({ family }) => family === own.family);
  return network && { ...own, prefix: network.prefix };
}

/** Empty: unknown, or something is wrong with one of them. */
export function nodeSubnetsOf(draft: Draft): readonly Block[] {
  if (hasGap(draft, 'network.nodeSubnet.*')) return [];
  const written = blocks(draft.network?.nodeSubnet);
  if (written.length > 0) return written;
  const endpoint = parseBlock(draft.controlPlaneEndpoint?.address ?? '');
  return endpoint ? [networkOf(endpoint)] : [];
}

export const podSubnetsOf = (draft: Draft): readonly Block[] => orDefault(draft, 'podSubnet');

export const serviceSubnetsOf = (draft: Draft): readonly Block[] => orDefault(draft, 'serviceSubnet');

/** None where something is wrong with one of them: how many there are, and which is the first, is not known then. */
const orDefault = (draft: Draft, key: 'podSubnet' | 'serviceSubnet'): readonly Block[] => {
  if (hasGap(draft, `network.${key}.*`)) return [];
  const written = draft.network?.[key];
  return blocks(written ?? defaults[key][familyOf(draft)]);
};

export const familyOf = (draft: Draft): Family =>
  endpointOf(draft)?.family ?? nodeSubnetsOf(draft)[0]?.family ?? 4;

const blocks = (written: string | readonly (string | undefined)[] | undefined): readonly Block[] =>
  [written ?? []]
    .flat()
    .flatMap((each) => parseBlock(each ?? '') ?? [])
    .map((each) => ({ ...each, ...networkOf(each) }));

/** From the address alone, so that no other machine can change it: 254 for .0 and .254, 253 for .1, … 1 for .253. */
export const priorityOf = ({ bits }: Block): number => 254 - (Number(bits & 0xffn) % 254);

/** 1 to 255: the same for the same cluster and address, wherever it is computed. */
export const virtualRouterIdOf = (cluster: string, { address }: Block): number =>
  1 + ((createHash('sha256').update(`${cluster} ${address}`).digest()[0] ?? 0) % 255);

type DraftStorage = NonNullable<Exclude<NonNullable<Draft['storage']>, readonly unknown[]>>;

export interface StorageFact {
  readonly path: readonly (string | number)[];
  readonly written: DraftStorage;
}

/** Every storage server, with its place: `storage` is one of them, or a list. */
export function storageServersOf({ storage }: Draft): readonly StorageFact[] {
  if (!isList(storage)) return storage ? [{ path: ['storage'], written: storage }] : [];
  return storage.flatMap((written, index) => (written ? [{ path: ['storage', index], written }] : []));
}

const isList = <Item>(value: Item | readonly Item[]): value is readonly Item[] => Array.isArray(value);

type DraftKeepalived = NonNullable<NonNullable<Draft['controlPlaneEndpoint']>['loadBalancer']>['keepalived'];

/** The version that failover, family and the key itself ask for. */
export const vrrpVersionFor = (keepalived: DraftKeepalived, family: Family): 2 | 3 =>
  keepalived?.vrrpVersion ?? (keepalived?.failover === 'fast' || family === 6 ? 3 : 2);

/** That of the endpoint. */
export const vrrpVersionOf = (draft: Draft): 2 | 3 =>
  vrrpVersionFor(draft.controlPlaneEndpoint?.loadBalancer?.keepalived, familyOf(draft));

/** The virtual address of the external load balancer; undefined: none is written. */
export const externalAddressOf = (draft: Draft): Block | undefined =>
  parseBlock(draft.externalLoadBalancer?.address ?? '');

/** Names of the machines that are the external load balancer. */
export const externalHostsOf = (draft: Draft): readonly string[] =>
  draft.externalLoadBalancer?.hosts?.filter((name) => name !== undefined) ?? [];
