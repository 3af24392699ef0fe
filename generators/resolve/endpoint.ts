import type { Balancer, Endpoint, HaproxySettings, KeepalivedSettings } from '../cluster/cluster.ts';
import { defaults } from '../definition/defaults.ts';
import {
  controlPlanesOf,
  endpointOf,
  endpointPortOf,
  placementOf,
  priorityOf,
  virtualRouterIdOf,
  vrrpVersionOf,
} from '../definition/derived.ts';
import { milliseconds } from '../definition/schema/judges.ts';
import type { Definition } from '../definition/schema/schema.ts';
import { secretVariables } from './secret-names.ts';
import { checkOf, resolveKeepalived } from './keepalived.ts';
import { addressOf } from './machines.ts';

export function resolveEndpoint(definition: Definition): Endpoint {
  const endpoint = endpointOf(definition);
  const dnsName = definition.controlPlaneEndpoint?.dnsName;
  if (!endpoint) throw new TypeError('a definition without an endpoint passed the reader');
  return {
    address: endpoint.address,
    prefix: endpoint.prefix,
    ...(dnsName === undefined ? {} : { dnsName }),
    family: endpoint.family,
    port: endpointPortOf(definition),
    placement: placementOf(definition).kind,
    balancers: balancers(definition),
    haproxy: haproxy(definition),
    keepalived: keepalived(definition),
  };
}

function balancers(definition: Definition): readonly Balancer[] {
  const placement = placementOf(definition);
  const names = new Set(
    placement.kind === 'dedicated'
      ? placement.hosts
      : placement.kind === 'stacked'
        ? controlPlanesOf(definition).map(({ name }) => name)
        : [],
  );
  return holdersOf(definition, names);
}

/** The machines that may hold a virtual address, the most preferred first. */
export const holdersOf = (
  { nodes, hosts = [] }: Definition,
  names: ReadonlySet<string | undefined>,
): readonly Balancer[] =>
  [...nodes, ...hosts]
    .filter(({ name }) => names.has(name))
    .map(({ name, address, vrrpPriority }) => {
      const own = addressOf(address);
      return { name, address: own.address, priority: vrrpPriority ?? priorityOf(own) };
    })
    .sort((a, b) => b.priority - a.priority);

function haproxy(definition: Definition): HaproxySettings {
  const written = definition.controlPlaneEndpoint?.loadBalancer?.haproxy;
  const balance = written?.balance ?? defaults.haproxy.balance;
  const { interval, fall, rise } = checkOf(written?.check, defaults.haproxy);
  return {
    healthCheck: written?.healthCheck ?? defaults.haproxy.healthCheck,
    balance,
    check: { intervalMilliseconds: milliseconds(interval), fall, rise },
    servers: definition.nodes
      .filter(({ roles }) => roles?.includes('control-plane'))
      .map(({ name, address }, index) => ({
        name,
        address: addressOf(address).address,
        backup: balance === 'first-active' && index > 0,
      })),
    stats: {
      port: written?.stats?.port ?? 0,
      user: written?.stats ? (written.stats.user ?? defaults.haproxy.statsUser) : '',
      passwordVariable: written?.stats ? secretVariables.stats : '',
    },
    etcdPort: written?.etcdPort ?? 0,
  };
}

function keepalived(definition: Definition): KeepalivedSettings {
  const { interface: named, keepalived: written } = definition.controlPlaneEndpoint?.loadBalancer ?? {};
  const address = endpointOf(definition);
  return resolveKeepalived(written, {
    interface: named ?? '',
    virtualRouterId: address ? virtualRouterIdOf(definition.metadata.name, address) : 1,
    version: vrrpVersionOf(definition),
    passwordVariable: secretVariables.vrrp,
  });
}
