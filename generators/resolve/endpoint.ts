import type { Balancer, Endpoint, HaproxySettings, KeepalivedSettings } from '../cluster.ts';
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
import type { Definition } from '../definition/schema.ts';
import { secretVariables } from '../secret-names.ts';
import { addressOf } from './machines.ts';

export function resolveEndpoint(definition: Definition): Endpoint {
  const endpoint = endpointOf(definition);
  if (!endpoint) throw new TypeError('a definition without an endpoint passed the reader');
  return {
    address: endpoint.address,
    prefix: endpoint.prefix,
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
  return [...definition.nodes, ...(definition.hosts ?? [])]
    .filter(({ name }) => names.has(name))
    .map(({ name, address, vrrpPriority }) => {
      const own = addressOf(address);
      return { name, address: own.address, priority: vrrpPriority ?? priorityOf(own) };
    })
    .sort((a, b) => b.priority - a.priority);
}

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
  };
}

function keepalived(definition: Definition): KeepalivedSettings {
  const { interface: named, keepalived: written } = definition.controlPlaneEndpoint?.loadBalancer ?? {};
  const own = defaults.keepalived;
  const failover = written?.failover ?? own.failover;
  const { interval, fall, rise } = checkOf(
    written?.check,
    failover === 'fast' ? { ...own, fall: own.fastFall } : own,
  );
  return {
    interface: named ?? '',
    virtualRouterId: written?.virtualRouterId ?? routerId(definition),
    version: vrrpVersionOf(definition),
    transport: written?.transport ?? own.transport,
    election: written?.election ?? own.election,
    advertisementInterval:
      milliseconds(written?.advertisementInterval ?? own.advertisementInterval[failover]) / 1000,
    check: { intervalSeconds: milliseconds(interval) / 1000, fall, rise },
    passwordVariable: written?.password ? secretVariables.vrrp : '',
  };
}

interface Check {
  readonly interval: string;
  readonly fall: number;
  readonly rise: number;
}

const checkOf = (
  written: { [Key in keyof Check]?: Check[Key] | undefined } | undefined,
  own: Check,
): Check => ({
  interval: written?.interval ?? own.interval,
  fall: written?.fall ?? own.fall,
  rise: written?.rise ?? own.rise,
});

const routerId = (definition: Definition): number => {
  const endpoint = endpointOf(definition);
  return endpoint ? virtualRouterIdOf(definition.metadata.name, endpoint) : 1;
};
