import { nodeMask } from '../../cluster/node-mask.ts';
import type { Argument } from '../../cluster/cluster.ts';

/** How much of the pod network each node gets, where the controller manager's own choice does not fit. */
export function nodeMasks(podSubnets: readonly string[]): readonly Argument[] {
  const dual = podSubnets.length > 1;
  return podSubnets.flatMap((subnet) => {
    const six = subnet.includes(':');
    const mask = nodeMask(Number(subnet.split('/')[1]), six ? 6 : 4);
    const family = dual ? (six ? '-ipv6' : '-ipv4') : '';
    return mask === (six ? 64 : 24) ? [] : [{ name: `node-cidr-mask-size${family}`, value: String(mask) }];
  });
}
