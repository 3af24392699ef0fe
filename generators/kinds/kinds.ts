import type { Cluster } from '../cluster/cluster.ts';
import type { KindName } from '../definition/kinds.ts';
import { fleet } from './fleet.ts';
import type { Kind } from './kind.ts';
import { kubernetes } from './kubernetes.ts';
import { openStackAnsible } from './openstack-ansible.ts';

/** Every kind, by the name that a definition gives it. */
export const kinds: { readonly [Name in KindName]: Kind<Name> } = {
  Cluster: kubernetes,
  OpenStackAnsibleMagnum: openStackAnsible,
  Fleet: fleet,
};

/** The kind of a resolved definition. */
export const kindOf = (cluster: Cluster): Kind<never> =>
  Object.values<Kind<never>>(kinds).find(({ owns }) => owns(cluster)) ?? kinds.Cluster;
