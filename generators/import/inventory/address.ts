import { parseAddress } from '../../source/networks.ts';
import { part, type ImportPart } from '../part.ts';
import { isTrue } from '../../source/foreign/look.ts';
import { groupBy, someOf } from '../machines.ts';
import { wrongAt, type TextPlace } from '../../source/foreign/node.ts';
import type { InventoryHost } from './inventory.ts';
import { plainText, type VariablesOfHost } from './ssh.ts';

/** Addresses as kubespray takes them in a cluster that has IPv4, and in one that has IPv6 alone. */
const namesOf = {
  four: ['ip', 'private_ip', 'ansible_host', 'ansible_ssh_host', 'access_ip'],
  six: ['ip6', 'private_ip', 'ansible_host', 'ansible_ssh_host', 'access_ip6'],
} as const;

/** The address on the cluster's network: what kubespray calls `ip` or `ip6`, else the one that Ansible connects to. */
export function addressOf(
  { name, place }: InventoryHost,
  variables: VariablesOfHost,
): { readonly text: string; readonly place: TextPlace } | undefined {
  const { isFour } = familiesOf(variables);
  for (const key of isFour ? namesOf.four : namesOf.six) {
    const node = variables.get(key)?.value;
    const text = plainText(node);
    if (node && text !== undefined && isWritten(key, text) && (isFour || parseAddress(text)?.family !== 4))
      return { text: canonical(text), place: node.place };
  }
  return parseAddress(name) ? { text: canonical(name), place } : undefined;
}

/** By kubespray's variables, of old tags and of new ones. */
export function familiesOf(variables: VariablesOfHost): Families {
  const isFour = !/^(?:false|no|off|0)$/i.test(plainText(variables.get('ipv4_stack')?.value) ?? '');
  const six = variables.get('ipv6_stack') ?? variables.get('enable_dual_stack_networks');
  return { isFour, isSix: !isFour || isTrue(six?.value) };
}

/** Which a cluster has; without IPv4 kubespray takes IPv6, whatever `ipv6_stack` says. */
export interface Families {
  readonly isFour: boolean;
  readonly isSix: boolean;
}

/** In a dual-stack cluster: of ours `secondary_ip`, of kubespray `ip6` beside `ip`. */
export function secondAddressOf(variables: VariablesOfHost): Readonly<Record<string, string>> {
  const { isFour, isSix } = familiesOf(variables);
  const text = (key: string): string | undefined => plainText(variables.get(key)?.value);
  const found =
    text('secondary_ip') ?? (isFour && isSix && text('ip') !== undefined ? text('ip6') : undefined);
  return found === undefined ? {} : { secondaryAddress: canonical(found) };
}

/** A wrong `ip` is a problem of its own; a name in `ansible_host` is only no address. */
const isWritten = (key: string, text: string): boolean =>
  !key.startsWith('ansible') || parseAddress(text) !== undefined;

const canonical = (text: string): string => parseAddress(text)?.address ?? text;

/** Hosts without an address; those of one range are one problem. */
export function noAddresses(
  hosts: readonly { readonly host: InventoryHost; readonly variables: VariablesOfHost }[],
): ImportPart {
  const places = groupBy(hosts, ({ host: { place } }) => `${place.file}:${place.line}:${place.column}`);
  return part({
    problems: [...places.values()].flatMap((together) =>
      together
        .slice(0, 1)
        .map(({ host, variables }) =>
          wrongAt(
            host.place,
            `no address is known for ${someOf(together.map(({ host: { name } }) => name))}${insteadOf(variables)}`,
            familiesOf(variables).isFour
              ? 'ip: 192.0.2.11, or an address in ansible_host, without brackets and leading zeros'
              : 'ip6: 2001:db8::11, or an address of IPv6 in ansible_host, without brackets',
          ),
        ),
    ),
  });
}

/** What stands where an address could. */
function insteadOf(variables: VariablesOfHost): string {
  const found = ['ansible_host', 'ansible_ssh_host'].flatMap((key) => variables.get(key) ?? [])[0];
  const text = plainText(found?.value);
  return found !== undefined && text !== undefined && /^[\w.:[\]-]{1,80}$/.test(text)
    ? `: ${found.key} is ${text}, which is none`
    : '';
}
