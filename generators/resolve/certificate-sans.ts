import { controlPlanesOf, endpointOf, externalAddressOf, externalHostsOf } from '../definition/derived.ts';
import { parseAddress } from '../source/networks.ts';
import type { Definition } from '../definition/schema/schema.ts';
import { isCertificateName } from '../definition/schema/kubernetes/kubernetes-judges.ts';

/** Every name and address by which somebody may reach the API: sorted, each once, addresses in one spelling. */
export function certificateSans(definition: Definition, own: readonly string[]): readonly string[] {
  const machines = controlPlanesOf(definition).flatMap(({ name, address, ssh }) => [
    name,
    address,
    ssh?.host,
  ]);
  const endpoint = [endpointOf(definition)?.address, definition.controlPlaneEndpoint?.dnsName];
  const all = ['localhost', '127.0.0.1', ...endpoint, ...machines, ...external(definition), ...own]
    .filter((each) => each !== undefined)
    .map((each) => parseAddress(each)?.address ?? each.toLowerCase())
    // A word of the user's `~/.ssh/config` need not be a name that a certificate can hold.
    .filter(isCertificateName);
  return [...new Set(all)].sort();
}

/** Where clients reach the API through the external load balancer: inside, and by the floating address that leads to it. */
function external(definition: Definition): readonly (string | undefined)[] {
  const { externalLoadBalancer, hosts = [] } = definition;
  if (!externalLoadBalancer?.api) return [];
  const names = new Set(externalHostsOf(definition));
  return [
    externalAddressOf(definition)?.address,
    ...hosts.filter(({ name }) => names.has(name)).flatMap(({ address, ssh }) => [address, ssh?.host]),
  ];
}
