import { gather } from '../cnf/gather.ts';
import { versionOf } from '../cnf/sources.ts';
import type { Files } from '../files.ts';
import { endpointOf, nodeSubnetsOf, placementOf, rolesOf, type Placement } from '../derived.ts';
import { hasGap } from '../gaps.ts';
import type { CnfFact } from './cnf/cnf-fact.ts';
import type { Path } from '../../source/finding.ts';
import { parseAddress, type Block } from '../../source/networks.ts';
import type { Draft } from '../schema/schema.ts';

export interface MachineFact {
  readonly path: Path;
  readonly name: string;
  readonly address: Block | undefined;
  readonly written: DraftMachine;
}

/** The external load balancer as it is written. */
export type BalancerDraft = NonNullable<Draft['externalLoadBalancer']>;

/** What is known of a draft, read once. `undefined`: something is wrong there, so nothing may be concluded from it. */
export interface Facts {
  readonly draft: Draft;
  readonly nodes: readonly MachineFact[];
  readonly hosts: readonly MachineFact[];
  readonly placement: Placement | undefined;
  readonly controlPlanes: readonly MachineFact[] | undefined;
  readonly etcd: readonly MachineFact[] | undefined;
  /** The machines that may hold the virtual address. */
  readonly balancers: readonly MachineFact[] | undefined;
  readonly endpoint: Block | undefined;
  readonly nodeSubnets: readonly Block[];
  /** The files that the definition names. */
  readonly files: Files;
  /** CNFs with all that their sources say. */
  readonly cnfs: readonly CnfFact[];
}

export function factsOf(draft: Draft, files: Files): Facts {
  const nodes = machinesOf('nodes', draft.nodes);
  const hosts = machinesOf('hosts', draft.hosts);
  const rolesKnown = draft.nodes !== undefined && !hasGap(draft, 'nodes.*.roles.*');
  const withRole = (role: string): readonly MachineFact[] | undefined =>
    rolesKnown ? nodes.filter(({ written }) => rolesOf(written).includes(role)) : undefined;
  const controlPlanes = withRole('control-plane');
  const ownEtcd = withRole('etcd');
  const placement = knownPlacement(draft, rolesKnown);
  return {
    draft,
    nodes,
    hosts,
    placement,
    controlPlanes,
    etcd: ownEtcd?.length === 0 ? controlPlanes : ownEtcd,
    balancers: hasGap(draft, ...namesOfBalancers)
      ? undefined
      : balancersOf(placement, { controlPlanes, hosts }),
    endpoint: endpointOf(draft),
    nodeSubnets: nodeSubnetsOf(draft),
    files,
    cnfs: cnfsOf(draft, files),
  };
}

const namesOfBalancers = ['controlPlaneEndpoint.loadBalancer.placement.hosts.*', 'hosts.*.name'];

function cnfsOf(draft: Draft, files: Files): readonly CnfFact[] {
  const version = versionOf(draft);
  return (draft.cnfs ?? []).flatMap<CnfFact>((written, index) =>
    written ? [{ path: ['cnfs', index], written, gathered: gather(written, version, files), version }] : [],
  );
}

/** A key that was written, but not soundly. */
export const hole = <Value extends object>(value: Value | undefined, key: keyof Value): boolean =>
  value !== undefined && Object.hasOwn(value, key) && value[key] === undefined;

type DraftMachine = NonNullable<NonNullable<Draft['hosts']>[number]>;

const machinesOf = (list: string, written: readonly (DraftMachine | undefined)[] = []): MachineFact[] =>
  written.flatMap((machine, index) =>
    machine
      ? [
          {
            path: [list, index],
            name: machine.name ?? `${list}[${index}]`,
            address: parseAddress(machine.address ?? ''),
            written: machine,
          },
        ]
      : [],
  );

function knownPlacement(draft: Draft, rolesKnown: boolean): Placement | undefined {
  if (hasGap(draft, 'controlPlaneEndpoint.loadBalancer.placement')) return undefined;
  const isWritten = draft.controlPlaneEndpoint?.loadBalancer?.placement !== undefined;
  return isWritten || rolesKnown ? placementOf(draft) : undefined;
}

function balancersOf(
  placement: Placement | undefined,
  { controlPlanes, hosts }: Pick<Facts, 'controlPlanes' | 'hosts'>,
): readonly MachineFact[] | undefined {
  if (placement?.kind === 'stacked') return controlPlanes;
  if (placement?.kind !== 'dedicated') return placement && [];
  const names = new Set(placement.hosts);
  return hosts.filter(({ name }) => names.has(name));
}
