import type { Cluster, OpenStackAnsibleMagnum } from '../cluster/cluster.ts';
import { magnumDrivers } from '../catalog/openstack-ansible/drivers.ts';
import { kinds } from '../definition/kinds.ts';
import { osaFiles } from '../phases/openstack-ansible/bundle-files.ts';
import { osaGroups } from '../phases/openstack-ansible/groups.ts';
import { osaPhases } from '../phases/openstack-ansible/phases.ts';
import { resolveOsa } from '../resolve/openstack-ansible/resolve.ts';
import type { Kind } from './kind.ts';

/** Magnum's Cluster API driver in an OpenStack-Ansible deployment. */
export const openStackAnsible: Kind<'OpenStackAnsibleMagnum'> = {
  definition: kinds.OpenStackAnsibleMagnum,
  resolve: resolveOsa,
  owns: (cluster) => cluster.osa !== undefined,
  groups: osaGroups,
  phases: osaPhases,
  // Operations are about nodes, of which such a deployment has none of ours.
  operations: [],
  files: osaFiles,
  summary: (cluster) => {
    const { release } = deploymentOf(cluster);
    return `OpenStack-Ansible ${release} of ${cluster.name}, control plane on ${controlPlaneOf(cluster)}`;
  },
  introduction: (cluster) => {
    const { release, driver, versions, configurationDirectory } = deploymentOf(cluster);
    return `Magnum's Cluster API driver ${magnumDrivers[driver].title} ${versions.driver} for OpenStack-Ansible ${release}; the control plane runs on ${controlPlaneOf(cluster)}. What belongs into ${configurationDirectory} lies in [files/osa/tree](files/osa/tree).`;
  },
  topology: undefined,
  versions: (cluster) => [
    ['Kubernetes', deploymentOf(cluster).versions.kubernetes],
    ['Installer', 'OpenStack-Ansible'],
  ],
  // What has to be done to an OpenStack is for its operator to say; nothing here knows what was done by others.
  unplanned: {
    reason: 'a definition of kind OpenStackAnsibleMagnum has no plan: its playbooks are run by their names',
    next: 'npx task run osa-place, then npx task run osa-deploy-existing',
  },
};

const controlPlaneOf = (cluster: Cluster): string =>
  deploymentOf(cluster)
    .controlPlane.hosts.map(({ name }) => name)
    .join(', ');

function deploymentOf({ osa }: Cluster): OpenStackAnsibleMagnum {
  if (osa === undefined) throw new TypeError('a definition of another kind was taken for OpenStack-Ansible');
  return osa;
}
