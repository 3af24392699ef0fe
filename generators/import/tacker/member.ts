import type { Problems } from '../../source/problem.ts';
import { field, fieldAt, itemsOf, sameName, textAt } from '../../source/foreign/look.ts';
import { doubtAt, type ForeignNode, type TextPlace } from '../../source/foreign/node.ts';
import type { Documents } from './documents.ts';
import { heatResources, type Resource } from './heat.ts';
import { requestedAddresses, vnfcsOf, type Vnfc } from './instance.ts';
import { parametersOf } from './parameters.ts';
import { openStack, type OpenStack, type CloudAddress, type CloudServer } from './openstack.ts';

/** A part of the installation parameters that is about machines of one kind. */
export interface Section {
  readonly node: ForeignNode;
  /** Names of connection points, which are names of Heat resources too. */
  readonly ssh: string;
  readonly nic: string;
  readonly vdu: string;
}

/** A machine of a section, as far as it is known. */
export interface SectionMember {
  readonly ids: readonly string[];
  readonly server: string;
  readonly address: CloudAddress | undefined;
  readonly ssh: CloudAddress | undefined;
  readonly computeHost: string | undefined;
  readonly zone: string | undefined;
  readonly created: string;
  readonly place: TextPlace;
  readonly doubts: Problems;
}

/** All that is known of the cloud, ready to be asked. */
export interface TackerCloud {
  readonly cloud: OpenStack;
  readonly vnfcs: readonly Vnfc[];
  readonly resources: readonly Resource[];
  readonly requested: ReadonlyMap<string, readonly CloudAddress[]>;
  readonly servers: readonly ForeignNode[];
  /** Zones of VNFCs, as a grant says them. */
  readonly zones: ReadonlyMap<string, string>;
  /** Whether the instance is of the second version of the API. */
  readonly isSecondVersion: boolean;
  /** By what a ScaleVnfRequest names machines; undefined where nothing says it. */
  readonly aspects: ScalingAspects;
  /** What the parameters say about the workers. */
  readonly workers: Section | undefined;
}

export interface ScalingAspects {
  readonly worker: string | undefined;
  readonly master: string | undefined;
  /** Those that the instance has. */
  readonly all: readonly string[];
}

export function surroundingsOf(documents: Documents): TackerCloud {
  const read = parametersOf(documents);
  const parameters = read.ok ? read.value : undefined;
  const workers = field(parameters, 'worker_node');
  return {
    cloud: openStack(documents),
    vnfcs: vnfcsOf(documents.instance),
    resources: heatResources(documents.heat),
    requested: requestedAddresses(documents.request),
    servers: documents.servers,
    zones: zonesOf(documents.grant),
    isSecondVersion: isOfSecondVersion(documents.instance),
    aspects: aspectsOf(documents.instance, parameters),
    workers: workers && sectionOf(workers),
  };
}

const isOfSecondVersion = (instance: ForeignNode | undefined): boolean =>
  field(instance, 'vimConnectionInfo')?.kind === 'map' ||
  itemsOf(fieldAt(instance, 'instantiatedVnfInfo', 'vnfcInfo')).some(
    (each) => field(each, 'vnfcResourceInfoId') !== undefined,
  );

function aspectsOf(instance: ForeignNode | undefined, parameters: ForeignNode | undefined): ScalingAspects {
  const status = itemsOf(fieldAt(instance, 'instantiatedVnfInfo', 'scaleStatus'));
  return {
    worker: textAt(parameters, 'worker_node', 'aspect_id'),
    master: textAt(parameters, 'master_node', 'aspect_id'),
    all: status.flatMap((each) => textAt(each, 'aspectId') ?? []),
  };
}

/** A grant puts resources into zones of its own, which it names. */
function zonesOf(grant: ForeignNode | undefined): ReadonlyMap<string, string> {
  const names = new Map(
    itemsOf(field(grant, 'zones')).map((zone) => [textAt(zone, 'id'), textAt(zone, 'zoneId')]),
  );
  const resources = ['addResources', 'updateResources'].flatMap((key) => itemsOf(field(grant, key)));
  return new Map(
    resources.flatMap((resource): [string, string][] => {
      const id = textAt(resource, 'resourceDefinitionId');
      const zone = names.get(textAt(resource, 'zoneId')) ?? textAt(resource, 'zoneId');
      return id === undefined || zone === undefined ? [] : [[id, zone]];
    }),
  );
}

export const sectionOf = (node: ForeignNode): Section => {
  const ssh = textAt(node, 'ssh_cp_name') ?? '';
  return { node, ssh, nic: textAt(node, 'nic_cp_name') ?? ssh, vdu: textAt(node, 'vdu_id') ?? '' };
};

/** What the machines of a section are called as a VDU, if they follow the samples. */
export const vdusOf = ({ nic, ssh, vdu }: Section): readonly string[] =>
  [vdu, nic, ssh]
    .filter((name) => name !== '')
    .map((name) => sameName(name.replace(/_(?:CP\d*|FloatingIP)$/i, '')));

export const resourceNamed = (resources: readonly Resource[], name: string): Resource | undefined =>
  resources.find((resource) => resource.name === name);

export const whereabouts = (
  resource: Resource | undefined,
  server: ReturnType<OpenStack['server']>,
): Pick<SectionMember, 'computeHost' | 'zone'> => ({
  computeHost: textAt(resource?.node, 'attributes', 'OS-EXT-SRV-ATTR:host') ?? server?.computeHost,
  zone: textAt(resource?.node, 'attributes', 'OS-EXT-AZ:availability_zone') ?? server?.zone,
});

export const several = (fixed: readonly CloudAddress[]): Problems =>
  fixed.length < 2
    ? []
    : fixed
        .slice(0, 1)
        .map(({ text, place }) =>
          doubtAt(
            place,
            `this port has ${fixed.length} addresses; Tacker takes the first, ${text}`,
            'that one, or a port with one address',
          ),
        );

export const inactive = (status: string | undefined, place: TextPlace): Problems =>
  status === undefined || status === 'ACTIVE'
    ? []
    : [doubtAt({ ...place, length: 1 }, `this server is ${status}`, 'ACTIVE, before anything is run on it')];

/** Nothing says which of several networks is the nodes'. */
export const ambiguous = (server: CloudServer | undefined): Problems =>
  server?.fixed === undefined || server.networks.length < 2
    ? []
    : [
        doubtAt(
          server.fixed.place,
          `this server is in ${server.networks.length} networks, and nothing says which of them is the nodes'; ${server.fixed.text} is taken, since it stands first`,
          'beside this file: the VNF instance with `openstack port list -f json`, or the resources of Heat',
        ),
      ];

export const nowhereKnown = {
  ids: [],
  server: '',
  computeHost: undefined,
  zone: undefined,
  created: '',
  doubts: [],
} as const;
