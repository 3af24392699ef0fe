import type { Cluster } from '../cluster/cluster.ts';
import { kinds } from '../definition/kinds.ts';
import { operations } from '../operations/table.ts';
import { clusterFiles } from '../phases/cluster-files.ts';
import { clusterGroups } from '../phases/groups.ts';
import { phases } from '../phases/index.ts';
import { shorten } from '../phases/shortened.ts';
import { resolve } from '../resolve/cluster.ts';
import { clusterTopology } from '../topology/topology.ts';
import type { Kind } from './kind.ts';

/** A Kubernetes cluster, and what stands around it. */
export const kubernetes: Kind<'Cluster'> = {
  definition: kinds.Cluster,
  resolve,
  owns: ({ osa, fleet }) => osa === undefined && fleet === undefined,
  groups: clusterGroups,
  phases,
  operations,
  files: clusterFiles,
  summary: ({ name, machines }) => `cluster ${name}, ${machines.length} machines`,
  introduction,
  topology: clusterTopology,
  versions: ({ kubernetes: { version, installer }, podNetwork: { plugin, version: of } }) => [
    ['Kubernetes', version],
    ['Installer', installer],
    ['Pod network', [plugin, of].filter((part) => part !== '').join(' ')],
  ],
  unplanned: undefined,
};

function introduction({ endpoint, machines }: Cluster): string {
  const { address, prefix, port, placement, balancers, dnsName } = endpoint;
  const at = (text: string): string => (dnsName === undefined ? text : `${dnsName} (${text})`);
  const names = shorten(balancers.map(({ name }) => name));
  const way = {
    stacked: `Clients reach the Kubernetes API at ${at(`${address}/${prefix}`)}, port ${port}; the control plane itself holds that address (${names}).`,
    dedicated: `Clients reach the Kubernetes API at ${at(`${address}/${prefix}`)}, port ${port}; load balancers of its own hold that address (${names}).`,
    external: `Clients reach the Kubernetes API at ${at(address)}, port ${port}, through a load balancer that is not part of this bundle.`,
    local: `Clients reach the Kubernetes API at ${at(address)}, port ${port}; nodes balance it for themselves, by kubespray.`,
    none: `Clients reach the Kubernetes API at ${at(address)}, port ${port}, on its one API server.`,
  } as const;
  return `${machines.length === 1 ? '1 machine' : `${machines.length} machines`}. ${way[placement]}`;
}
