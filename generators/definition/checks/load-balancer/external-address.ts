import { externalAddressOf, externalHostsOf, virtualRouterIdOf } from '../../derived.ts';
import { problemAt, keyWarning, type Finding } from '../../../source/finding.ts';
import { cidr, contains, networkOf, type Block } from '../../../source/networks.ts';
import { unusableOf } from '../node/addresses.ts';
import { hasGap } from '../../gaps.ts';
import { hole, type Facts, type BalancerDraft } from '../facts.ts';

const at = (...keys: (string | number)[]): (string | number)[] => ['externalLoadBalancer', ...keys];

/** The address of the external load balancer is nobody else's, and its hosts can hold it. */
export function externalAddress(written: BalancerDraft, facts: Facts): Finding[] {
  const address = externalAddressOf(facts.draft);
  if (!address)
    return written.address === undefined && !hole(written, 'address')
      ? (['interface', 'keepalived'] as const)
          .filter((key) => written[key] !== undefined && !written.script)
          .map((key) => keyWarning(at(key), `\`${key}\` has no effect without \`address\``, 'remove the key'))
      : [];
  return [...ownAddress(address, facts), ...beside(address, facts), ...routerId(address, written, facts)];
}

function ownAddress(address: Block, { nodes, hosts: others, endpoint, draft }: Facts): Finding[] {
  const say = (wrong: string, right: string): Finding => problemAt(at('address'), wrong, right);
  const holder = [...nodes, ...others].find((machine) => isSame(machine.address, address));
  const unusable = unusableOf(address, networkOf(address));
  return [
    ...(holder
      ? [say(`${address.address} is the address of ${holder.name}`, 'an address that no machine has')]
      : []),
    ...(draft.controlPlaneEndpoint && !holder && isSame(endpoint, address)
      ? [say(`${address.address} is the address of the control plane's endpoint`, 'another address')]
      : []),
    ...(unusable ? [say(unusable, 'another address of that network')] : []),
  ];
}

const isSame = (a: Block | undefined, b: Block): boolean => a?.family === b.family && a.bits === b.bits;

/** VRRP does not cross a router. */
function beside(address: Block, { draft, hosts: all }: Facts): Finding[] {
  const names = new Set(externalHostsOf(draft));
  const network = networkOf(address);
  return all
    .filter((machine) => names.has(machine.name) && machine.address && !contains(network, machine.address))
    .map(({ path, name, address: own }) =>
      problemAt(
        [...path, 'address'],
        `${own?.address ?? ''} of ${name} is not in ${cidr(network)}, the network of the virtual address that it may hold`,
        `an address in ${cidr(network)}`,
      ),
    );
}

const routerIds = ['controlPlaneEndpoint.loadBalancer', 'externalLoadBalancer'].map(
  (place) => `${place}.keepalived.virtualRouterId`,
);

/** Two VRRP groups of one network tell each other apart by their number alone. */
function routerId(address: Block, written: BalancerDraft, { draft, placement, endpoint }: Facts): Finding[] {
  const isOurs = placement?.kind === 'stacked' || placement?.kind === 'dedicated';
  const name = draft.metadata?.name;
  if (!isOurs || !endpoint || name === undefined || !contains(networkOf(address), endpoint)) return [];
  if (hasGap(draft, ...routerIds)) return [];
  const inner =
    draft.controlPlaneEndpoint?.loadBalancer?.keepalived?.virtualRouterId ??
    virtualRouterIdOf(name, endpoint);
  const outer = written.keepalived?.virtualRouterId ?? virtualRouterIdOf(name, address);
  return inner === outer
    ? [
        problemAt(
          at('keepalived', 'virtualRouterId'),
          `the endpoint of the control plane has the VRRP number ${inner} in the same network`,
          `virtualRouterId: ${(inner % 255) + 1}, or another one that nobody has there`,
        ),
      ]
    : [];
}
