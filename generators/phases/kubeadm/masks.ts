import type { Argument } from '../../cluster/cluster.ts';

/**
 * How much of the pod network each node gets, where the controller manager's own choice does not fit: a network that
 * is narrow still serves sixteen nodes, and one that is very wide is cut no finer than the 16 bits it can count.
 */
export function nodeMasks(podSubnets: readonly string[]): readonly Argument[] {
  const dual = podSubnets.length > 1;
  return podSubnets.flatMap((subnet) => {
    const six = subnet.includes(':');
    const prefix = Number(subnet.split('/')[1]);
    const mask = six ? maskOf6(prefix) : maskOf4(prefix);
    const family = dual ? (six ? '-ipv6' : '-ipv4') : '';
    return mask === (six ? 64 : 24) ? [] : [{ name: `node-cidr-mask-size${family}`, value: String(mask) }];
  });
}

const maskOf4 = (prefix: number): number => (prefix <= 20 ? 24 : Math.min(prefix + 4, 30));

const maskOf6 = (prefix: number): number => {
  if (prefix < 48) return prefix + 16;
  return prefix <= 60 ? 64 : Math.min(prefix + 4, 124);
};
