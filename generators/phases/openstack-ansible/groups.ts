import type { Cluster } from '../../cluster/cluster.ts';
import type { HostsByGroup } from '../../outline/hosts.ts';

/** The one group of the inventory of such a bundle. */
export const deployGroup = 'deploy_host';

/** The deploy host in the inventory: by its name, or the Ansible server itself. */
export const deployHostOf = ({ machines }: Pick<Cluster, 'machines'>): string =>
  machines[0]?.name ?? 'deploy-host';

/** The deploy host, alone in its group. */
export const osaGroups = (cluster: Pick<Cluster, 'machines'>): HostsByGroup =>
  new Map(['all', deployGroup].map((group) => [group, [deployHostOf(cluster)]]));
