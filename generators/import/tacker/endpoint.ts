import { joinParts, part, type ImportPart, type Wishes } from '../part.ts';
import { entry, field, textAt } from '../../source/foreign/look.ts';
import { wrongAt, type ForeignNode } from '../../source/foreign/node.ts';
import { networkPart } from '../values.ts';
import type { Documents } from './documents.ts';
import { addressOf, insideAddressOf } from './heat.ts';
import type { TackerCloud } from './member.ts';
import type { CloudAddress } from './openstack.ts';

/** The networks of pods, services and nodes. Tacker's names: `pod_cidr`, `cluster_cidr`, `k8s_node_cidr`. */
export const networksPart = (parameters: ForeignNode, wishes: Wishes): ImportPart =>
  joinParts(
    (
      [
        ['podSubnet', field(field(parameters, 'master_node'), 'pod_cidr')],
        ['serviceSubnet', field(field(parameters, 'master_node'), 'cluster_cidr')],
        ['nodeSubnet', field(field(parameters, 'proxy'), 'k8s_node_cidr')],
      ] as const
    ).map(([key, node]) =>
      node?.kind === 'scalar' && node.text !== '' ? networkPart(['network', key], node, wishes) : part({}),
    ),
  );

/** What Tacker's drivers take where the request says nothing. */
export const usualNetworks = (parameters: ForeignNode, driver: 'kubespray' | 'kubeadm'): ImportPart => {
  const master = field(parameters, 'master_node');
  const usual = driver === 'kubeadm' ? kubeadmNetworks : kubesprayNetworks;
  const both = textAt(master, 'pod_cidr') !== undefined && textAt(master, 'cluster_cidr') !== undefined;
  return joinParts(
    usual.map(({ key, told, value }) =>
      textAt(master, told) === undefined || (driver === 'kubespray' && !both)
        ? part({
            pieces: [{ path: ['network', key], value }],
            assumptions: [`${told} is ${value}, the default of the driver for ${driver}`],
          })
        : part({}),
    ),
  );
};

const kubeadmNetworks = [
  { key: 'podSubnet', told: 'pod_cidr', value: '192.168.0.0/16' },
  { key: 'serviceSubnet', told: 'cluster_cidr', value: '10.96.0.0/12' },
] as const;

/** Those of kubespray itself: the driver writes its own only when both are given. */
const kubesprayNetworks = [
  { key: 'podSubnet', told: 'pod_cidr', value: '10.233.64.0/18' },
  { key: 'serviceSubnet', told: 'cluster_cidr', value: '10.233.0.0/18' },
] as const;

/** The virtual address of several control planes, at the port that Tacker's script gives HAProxy. */
export function endpointPart(
  parameters: ForeignNode,
  { documents, around, masters }: { documents: Documents; around: TackerCloud; masters: number },
  wishes: Wishes,
): ImportPart {
  const master = field(parameters, 'master_node');
  if (!master || masters < 2) return part({});
  const name = textAt(master, 'cluster_cp_name') ?? '';
  const isOwn = name !== '' && ![textAt(master, 'nic_cp_name'), textAt(master, 'ssh_cp_name')].includes(name);
  const address = isOwn ? addressNamed(name, documents, around) : undefined;
  if (!address && wishes.vip === '') return part({ problems: [withoutAddress(master, name, masters)] });
  return joinParts([
    part({
      pieces: [
        ...(address
          ? [{ path: ['controlPlaneEndpoint', 'address'], value: address.text, place: address.place }]
          : []),
        { path: ['controlPlaneEndpoint', 'port'], value: 16_443 },
        {
          path: ['controlPlaneEndpoint', 'loadBalancer'],
          value: { placement: 'stacked', keepalived: { virtualRouterId: 51 } },
          note: "16443 and 51 are what Tacker's script gives to every cluster",
        },
      ],
      assumptions: ['HAProxy and keepalived stand on the control planes, as Tacker puts them'],
    }),
    floatingPart(master, around),
  ]);
}

const withoutAddress = (master: ForeignNode, name: string, masters: number) =>
  wrongAt(
    (entry(master, 'cluster_cp_name')?.value ?? master).place,
    `${masters} control planes need one address for all of them, and nothing says which ${name || 'cluster_cp_name'} has`,
    'the resource of Heat or the port of that name beside this file, or --vip 192.0.2.80/24',
  );

/** By Heat's resource, by the name of a port, or as the request fixed it. */
function addressNamed(
  name: string,
  { ports }: Documents,
  { resources, cloud, requested }: TackerCloud,
): CloudAddress | undefined {
  const resource = resources.find((each) => each.name === name);
  const port = ports.find((each) => textAt(each, 'name') === name);
  return (
    (resource && insideAddressOf(resource, cloud)) ??
    (port && cloud.fixedOfPort(textAt(port, 'id') ?? '')[0]) ??
    requested.get(name)?.[0]
  );
}

/** The floating address of the virtual one: clients outside use it, so it belongs into the certificates. */
function floatingPart(master: ForeignNode, { resources, cloud }: TackerCloud): ImportPart {
  const name = textAt(master, 'cluster_fip_name');
  const resource = resources.find((each) => each.name === name);
  const address = resource && addressOf(resource, cloud);
  return part(
    address
      ? {
          pieces: [
            {
              path: ['installer', 'kubeadm', 'certificateSans'],
              value: [address.text],
              place: address.place,
            },
          ],
        }
      : {},
  );
}
