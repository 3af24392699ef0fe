import type { BalancedService, BalancerScript, ExternalLoadBalancer } from '../cluster/cluster.ts';
import { gather } from '../definition/cnf/gather.ts';
import { chooseNamespace } from '../definition/cnf/namespace.ts';
import { publishedPort } from '../definition/cnf/published.ts';
import { versionOf } from '../definition/cnf/sources.ts';
import { defaults } from '../definition/defaults.ts';
import { externalAddressOf, externalHostsOf, rolesOf, vrrpVersionFor } from '../definition/derived.ts';
import { fileText, type Files } from '../definition/files.ts';
import { familyOf, virtualRouterIdOf } from '../definition/derived.ts';
import { milliseconds } from '../definition/schema/judges.ts';
import type { Definition } from '../definition/schema/schema.ts';
import { readServices } from '../definition/manifests/services.ts';
import type { ServicePort } from '../definition/manifests/service-ports.ts';
import { secretVariables } from './secret-names.ts';
import { holdersOf } from './endpoint.ts';
import { checkOf, resolveKeepalived } from './keepalived.ts';
import { addressOf } from './machines.ts';

type BalancerDefinition = NonNullable<Definition['externalLoadBalancer']>;

const own = defaults.externalLoadBalancer;

/** The external load balancer; without one, a list without machines and what is true of every one. */
export function resolveExternalLoadBalancer(definition: Definition, files: Files): ExternalLoadBalancer {
  const written = definition.externalLoadBalancer;
  const address = externalAddressOf(definition);
  const { interval, fall, rise } = checkOf(written?.check, own);
  const family = address?.family ?? familyOf(definition);
  return {
    balancers: holdersOf(definition, new Set(externalHostsOf(definition))),
    address: address?.address ?? '',
    prefix: address?.prefix ?? 0,
    family,
    apiPort: written?.api?.port ?? 0,
    services: written
      ? [...servicesOf(written, files), ...publishedOf(definition, files)].sort((a, b) => a.port - b.port)
      : [],
    check: { intervalMilliseconds: milliseconds(interval), fall, rise },
    healthPort: written?.healthPort ?? own.healthPort,
    drainSeconds: Math.ceil(milliseconds(written?.drain ?? own.drain) / 1000),
    keepalived: resolveKeepalived(written?.keepalived, {
      interface: written?.interface ?? '',
      virtualRouterId: address ? virtualRouterIdOf(definition.metadata.name, address) : 1,
      version: vrrpVersionFor(written?.keepalived, family),
      passwordVariable: secretVariables.externalVrrp,
    }),
    script: scriptOf(definition, files),
  };
}

/** Those of the definition, and those of the manifests that it does not name. */
function servicesOf(written: BalancerDefinition, files: Files): readonly BalancedService[] {
  const named = (written.services ?? []).map(fromDefinition);
  const taken = new Set(named.map(nameOf));
  return [
    ...named,
    ...manifestPorts(written, files)
      .map(fromManifest)
      .filter((each) => !taken.has(nameOf(each))),
  ].sort((a, b) => a.port - b.port);
}

const nameOf = ({ namespace, name }: Pick<BalancedService, 'namespace' | 'name'>): string =>
  `${namespace}/${name}`;

const fromDefinition = (service: NonNullable<BalancerDefinition['services']>[number]): BalancedService => ({
  namespace: service.namespace ?? own.namespace,
  name: service.name,
  servicePort: service.servicePort ?? service.port,
  port: service.port,
  nodePort: service.nodePort ?? 0,
  backends: service.backends ?? own.backends,
  externalTrafficPolicy: service.externalTrafficPolicy ?? own.externalTrafficPolicy,
  healthCheckNodePort: service.healthCheckNodePort ?? 0,
  lookUp: service.nodePort === undefined,
});

const fromManifest = ({ type, ...port }: ServicePort): BalancedService => ({
  namespace: port.namespace,
  name: port.name,
  servicePort: port.port,
  port: port.port,
  nodePort: port.nodePort,
  backends: own.backends,
  externalTrafficPolicy: port.externalTrafficPolicy,
  healthCheckNodePort: port.healthCheckNodePort,
  // The cluster gives such a Service a health check of its own.
  lookUp:
    port.nodePort === 0 ||
    (type === 'LoadBalancer' && port.externalTrafficPolicy === 'Local' && port.healthCheckNodePort === 0),
});

const manifestPorts = ({ manifests = [] }: BalancerDefinition, files: Files): readonly ServicePort[] =>
  manifests.flatMap((path) => {
    const text = fileText(files, path);
    return text.ok ? readServices(text.value, path).ports : [];
  });

/** Those that CNFs publish, in the namespaces in which they live. */
const publishedOf = (definition: Definition, files: Files): readonly BalancedService[] =>
  (definition.cnfs ?? []).flatMap((cnf) => {
    const { objects } = gather(cnf, versionOf(definition), files);
    const { namespace } = chooseNamespace(cnf.namespace, objects);
    return (cnf.publish ?? []).flatMap(({ service, port, servicePort = port }) => {
      const found = publishedPort(objects, service, servicePort);
      return found ? [{ ...fromManifest(found), namespace, port }] : [];
    });
  });

function scriptOf({ externalLoadBalancer, nodes }: Definition, files: Files): BalancerScript {
  const script = externalLoadBalancer?.script;
  const text = script && fileText(files, script.path);
  if (!text?.ok) return { text: '', arguments: [] };
  const addresses = (role: string): string =>
    nodes
      .filter((node) => rolesOf(node).includes(role))
      .map(({ address }) => addressOf(address).address)
      .join(',');
  const words: Readonly<Record<string, string>> = {
    '<control-planes>': addresses('control-plane'),
    '<workers>': addresses('worker'),
  };
  return { text: text.value, arguments: (script?.arguments ?? []).map((word) => words[word] ?? word) };
}
