import type { Cluster, Machine } from '../../cluster/cluster.ts';
import type { Vnfc } from './instance.ts';
import type { TackerCloud } from './member.ts';
import { addressesOfVnfc } from './vnfc.ts';

/** The commands that do what an operation of Tacker asks for, and what to know before they are typed. */
export interface Commands {
  readonly commands: readonly string[];
  readonly notes: readonly string[];
}

export const sure = (name: string): string => `--confirm ${name}`;

/** The machine of the definition that is this VNFC, by its addresses. */
export function machineOf(vnfc: Vnfc, around: TackerCloud, { machines }: Cluster): Machine | undefined {
  const addresses = new Set(addressesOfVnfc(vnfc, around));
  return machines.find(({ address, ssh }) => addresses.has(address) || addresses.has(ssh.host));
}
