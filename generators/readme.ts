import type { Cluster } from './cluster.ts';
import type { Fill } from './engine.ts';
import { playbooks } from './operations/site.ts';

/** The page that a reviewer, or a person with nothing but Ansible, opens first. */
export const readme = (cluster: Cluster, fill: Fill): string =>
  fill('readme/README.md.hbs', {
    cluster: cluster.name,
    summary: summary(cluster),
    playbooks: playbooks(cluster).map(({ file, what, hosts, tags }) => ({
      file,
      what,
      tags,
      hosts: shortened(hosts),
    })),
    tagged: playbooks(cluster).filter(({ tags }) => tags.length > 0),
    secrets: cluster.secrets.map(({ variable, path }) => ({ variable, path })),
  });

/** Long lists stand in the inventory. */
const shortened = (names: readonly string[]): string =>
  names.length <= shown
    ? names.join(', ')
    : `${names.slice(0, shown - 1).join(', ')} and ${names.length - shown + 1} more`;

const shown = 8;

function summary({ endpoint, machines }: Cluster): string {
  const { address, prefix, port, placement, balancers } = endpoint;
  const names = shortened(balancers.map(({ name }) => name));
  const way = {
    stacked: `Clients reach the Kubernetes API at ${address}/${prefix}, port ${port}; the control plane itself holds that address (${names}).`,
    dedicated: `Clients reach the Kubernetes API at ${address}/${prefix}, port ${port}; load balancers of its own hold that address (${names}).`,
    external: `Clients reach the Kubernetes API at ${address}, port ${port}, through a load balancer that is not part of this bundle.`,
    none: `Clients reach the Kubernetes API at ${address}, port ${port}, on its one API server.`,
  } as const;
  return `${machines.length === 1 ? '1 machine' : `${machines.length} machines`}. ${way[placement]}`;
}
