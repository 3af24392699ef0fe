import type { Cluster, ExternalLoadBalancer } from '../cluster/cluster.ts';
import { sha256 } from '../digest.ts';
import { compareSettings } from './settings.ts';

/** What is different outside the cluster; a script is told by its digest, since its lines stand in the bundle. */
export const compareExternalLoadBalancers = (before: Cluster, after: Cluster): readonly string[] =>
  compareSettings(
    'external load balancer: ',
    own(before.externalLoadBalancer),
    own(after.externalLoadBalancer),
  );

function own(balancer: ExternalLoadBalancer): object {
  const { balancers, services, script, ...settings } = balancer;
  if (balancers.length === 0) return {};
  return {
    ...settings,
    hosts: Object.fromEntries(balancers.map(({ name, ...host }) => [name, host])),
    service: Object.fromEntries(
      services.map(({ namespace, name, ...service }) => [
        `${namespace}/${name}:${service.servicePort}`,
        service,
      ]),
    ),
    script: { ...script, text: script.text === '' ? '' : sha256(script.text).slice(0, 12) },
  };
}
