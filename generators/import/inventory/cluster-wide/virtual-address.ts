import { parseAddress } from '../../../source/networks.ts';
import { field, isNull, isTrue, textOf } from '../../../source/foreign/look.ts';
import type { ForeignNode } from '../../../source/foreign/node.ts';
import { plainText, type VariablesOfHost } from '../ssh.ts';
import { isVirtualAddress } from './agreed.ts';

/** Who stands before the API, as an inventory says it. */
export interface FoundAddress {
  readonly address: string;
  readonly node: ForeignNode;
  readonly isExternal: boolean;
  readonly assumption?: string;
}

/** kubespray's load balancer, or what others usually call the virtual address. */
export function virtualOf(variables: VariablesOfHost): FoundAddress | undefined {
  const node = holderOf(variables);
  const address = plainText(node);
  if (node === undefined) return guessAddress(variables);
  return address === undefined ? undefined : { address, node, isExternal: true };
}

/** What says the address of the load balancer of kubespray, or of its kube-vip; be it in vain. */
function holderOf(variables: VariablesOfHost): ForeignNode | undefined {
  const balancer = variables.get('loadbalancer_apiserver')?.value;
  if (balancer && !isNull(balancer)) return field(balancer, 'address') ?? balancer;
  const isVip = isTrue(variables.get('kube_vip_enabled')?.value);
  return isVip ? variables.get('kube_vip_address')?.value : undefined;
}

/** What says an address that nobody can read here, as one that Ansible reckons. */
export const unreadable = (variables: VariablesOfHost): ForeignNode | undefined => {
  const node = holderOf(variables);
  return plainText(node) === undefined ? node : undefined;
};

function guessAddress(variables: VariablesOfHost): FoundAddress | undefined {
  const found = [...variables.values()].find(
    ({ key, value }) =>
      isVirtualAddress(key) && parseAddress((textOf(value) ?? '').split('/')[0] ?? '') !== undefined,
  );
  return found
    ? {
        address: textOf(found.value) ?? '',
        node: found.value,
        isExternal: false,
        assumption: `\`${found.key}\` is the virtual address of the control planes`,
      }
    : undefined;
}

export const isHeldByKubeVip = (variables: VariablesOfHost, address: string | undefined): boolean =>
  isTrue(variables.get('kube_vip_enabled')?.value) &&
  address !== undefined &&
  plainText(variables.get('kube_vip_address')?.value) === address;
