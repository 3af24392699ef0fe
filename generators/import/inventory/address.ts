import { parseAddress } from '../../source/networks.ts';
import { part, type ImportPart } from '../part.ts';
import { isTrue } from '../../source/foreign/look.ts';
import { wrongAt, type TextPlace } from '../../source/foreign/node.ts';
import type { InventoryHost } from './inventory.ts';
import { plainText, type VariablesOfHost } from './ssh.ts';

/** The address on the cluster's network: what kubespray calls `ip`, else the one that Ansible connects to. */
export function addressOf(
  { name, place }: InventoryHost,
  variables: VariablesOfHost,
): { readonly text: string; readonly place: TextPlace } | undefined {
  for (const key of ['ip', 'private_ip', 'ansible_host', 'ansible_ssh_host', 'access_ip']) {
    const node = variables.get(key)?.value;
    const text = plainText(node);
    if (node && text !== undefined && isWritten(key, text))
      return { text: canonical(text), place: node.place };
  }
  return parseAddress(name) ? { text: canonical(name), place } : undefined;
}

/** In a dual-stack cluster: of ours `secondary_ip`, of kubespray `ip6` beside `ip`. */
export function secondAddressOf(variables: VariablesOfHost): Readonly<Record<string, string>> {
  const isDual = ['enable_dual_stack_networks', 'ipv6_stack'].some((name) =>
    isTrue(variables.get(name)?.value),
  );
  const text = (key: string): string | undefined => plainText(variables.get(key)?.value);
  const found = text('secondary_ip') ?? (isDual && text('ip') !== undefined ? text('ip6') : undefined);
  return found === undefined ? {} : { secondaryAddress: canonical(found) };
}

/** A wrong `ip` is a problem of its own; a name in `ansible_host` is only no address. */
const isWritten = (key: string, text: string): boolean =>
  !key.startsWith('ansible') || parseAddress(text) !== undefined;

const canonical = (text: string): string => parseAddress(text)?.address ?? text;

export const noAddress = ({ name, place }: InventoryHost): ImportPart =>
  part({
    problems: [
      wrongAt(place, `no address is known of ${name}`, 'ip: 192.0.2.11, or an address in ansible_host'),
    ],
  });
