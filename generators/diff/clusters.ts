import type { Balancer, Cluster, HaproxySettings, Machine, Registry } from '../cluster/cluster.ts';
import { sha256 } from '../digest.ts';
import { compareExternalLoadBalancers } from './external-load-balancer.ts';
import { compareSettings } from './settings.ts';
import { hostInUrl } from '../source/networks.ts';

/** What is different, one sentence each, in the order in which the cluster is built. */
export const compareClusters = (before: Cluster, after: Cluster): readonly string[] => [
  ...machines(before, after),
  ...compareSettings('kubernetes: ', before.kubernetes, after.kubernetes),
  ...containerd(before, after),
  ...compareSettings('pod network: ', podNetwork(before), podNetwork(after)),
  ...compareSettings('offline: ', before.offline, after.offline),
  ...compareSettings('network: ', before.network, after.network),
  ...endpoint(before, after),
  ...haproxy(before, after),
  ...keepalived(before, after),
  ...compareExternalLoadBalancers(before, after),
  ...compareSettings('proxy: ', before.proxy, after.proxy),
  ...compareSettings('drills: ', before.drills, after.drills),
  ...compareSettings('extra playbooks: ', before.extraPlaybooks, after.extraPlaybooks),
  ...compareSettings('patch: ', before.patch, after.patch),
  ...compareSettings('OpenStack-Ansible: ', before.osa, after.osa),
  ...secrets(before, after),
  ...compareSettings('ansible server: ', before.ansibleServer, after.ansibleServer),
  ...compareSettings('cluster: ', { review: before.review }, { review: after.review }),
];

/** A manifest is told by its digest: its lines are a difference of the bundle's files. */
const podNetwork = ({ podNetwork: { manifest, ...others } }: Cluster): object => ({
  ...others,
  ...(manifest === undefined ? {} : { manifest: sha256(manifest).slice(0, 12) }),
});

const machines = (before: Cluster, after: Cluster): readonly string[] =>
  pairByName(before.machines, after.machines).flatMap(({ name, before: old, after: now }) => {
    if (old === undefined)
      return now === undefined ? [] : [`machine ${name} is added: ${describeMachine(now)}`];
    if (now === undefined) return [`machine ${name} is removed: ${describeMachine(old)}`];
    return compareSettings(`machine ${name}: `, old, now);
  });

function containerd(before: Cluster, after: Cluster): readonly string[] {
  // A certificate is told by its digest, since nobody reads its lines.
  const registries = (cluster: Cluster): readonly (Registry & { readonly name: string })[] =>
    cluster.containerd.registries.map((registry) => ({
      ...registry,
      name: registry.host,
      ca: registry.ca === '' ? '' : sha256(registry.ca).slice(0, 12),
    }));
  const own = ({ containerd: { source, archive, pauseImage, cri } }: Cluster): object => ({
    source,
    archive,
    pauseImage,
    cri,
  });
  return [
    ...compareSettings('containerd: ', own(before), own(after)),
    ...pairByName(registries(before), registries(after)).flatMap(({ name, before: was, after: is }) => {
      if (was === undefined) return [`containerd: the registry ${name} is added`];
      if (is === undefined) return [`containerd: the registry ${name} is removed`];
      return compareSettings(`containerd: the registry ${name}: `, was, is);
    }),
  ];
}

const describeMachine = ({ address, roles }: Machine): string => [address, ...roles].join(', ');

function endpoint(before: Cluster, after: Cluster): readonly string[] {
  const own = ({ endpoint: { address, prefix, dnsName, port, placement } }: Cluster): object => ({
    address,
    prefix,
    dnsName,
    port,
    placement,
  });
  return compareSettings('endpoint: ', own(before), own(after));
}

function haproxy(before: Cluster, after: Cluster): readonly string[] {
  const [old, now] = [before.endpoint.haproxy, after.endpoint.haproxy];
  const on = placeOf(after.endpoint.balancers.length > 0 ? after : before);
  const target = (cluster: Cluster, address: string): string =>
    `${hostInUrl(address)}:${cluster.network.apiServerPort}`;
  const servers = pairByName(old.servers, now.servers).flatMap(({ name, before: was, after: is }) => {
    if (was === undefined && is !== undefined)
      return [`haproxy: on ${on} a server ${name} (${target(after, is.address)}) is added`];
    if (was !== undefined && is === undefined)
      return [`haproxy: on ${on} the server ${name} (${target(before, was.address)}) is removed`];
    return compareSettings(`haproxy: on ${on} the server ${name}: `, was, is);
  });
  const own = ({ healthCheck, balance, check, stats, etcdPort }: HaproxySettings): object => ({
    healthCheck,
    balance,
    check,
    stats,
    etcdPort,
  });
  return [...servers, ...compareSettings(`haproxy: on ${on} the `, own(old), own(now))];
}

function keepalived(before: Cluster, after: Cluster): readonly string[] {
  const on = placeOf(after.endpoint.balancers.length > 0 ? after : before);
  const holders = pairByName(before.endpoint.balancers, after.endpoint.balancers).flatMap(
    ({ name, before: was, after: is }) => {
      if (was === undefined && is !== undefined)
        return [`keepalived: ${name} may hold the virtual address as well, with priority ${is.priority}`];
      if (was !== undefined && is === undefined)
        return [`keepalived: ${name} may no longer hold the virtual address`];
      return compareSettings(`keepalived: on ${name} the `, was, is);
    },
  );
  return [
    ...holders,
    ...compareSettings(`keepalived: on ${on} the `, before.endpoint.keepalived, after.endpoint.keepalived),
  ];
}

const placeOf = ({ endpoint: { balancers } }: Cluster): string =>
  balancers.map(({ name }: Balancer) => name).join(', ');

const secrets = (before: Cluster, after: Cluster): readonly string[] =>
  pairByName(
    before.secrets.map((use) => ({ name: use.variable, ...use })),
    after.secrets.map((use) => ({ name: use.variable, ...use })),
  ).flatMap(({ name, before: was, after: is }) => {
    if (was === undefined) return [`secret ${name} is needed`];
    if (is === undefined) return [`secret ${name} is no longer needed`];
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [`secret ${name} comes from somewhere else`];
  });

interface ItemPair<Item> {
  readonly name: string;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** Items by their name, in the new order with the removed ones last. */
function pairByName<Item extends { readonly name: string }>(
  before: readonly Item[],
  after: readonly Item[],
): readonly ItemPair<Item>[] {
  const old = new Map(before.map((item) => [item.name, item]));
  const now = new Map(after.map((item) => [item.name, item]));
  return [...new Set([...now.keys(), ...old.keys()])].map((name) => ({
    name,
    before: old.get(name),
    after: now.get(name),
  }));
}
