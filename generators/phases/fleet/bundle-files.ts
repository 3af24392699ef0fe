import type { Cluster, Fleet, FleetNode } from '../../cluster/cluster.ts';
import { dataFile, type Data } from '../../data-file.ts';
import { reachedGroup } from '../groups.ts';
import { machineVariables } from '../inventory.ts';
import { sshVariables } from '../ssh-arguments.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { fleetGroups } from './groups.ts';

/** The inventory of a fleet's mesh. */
export const fleetFiles = (cluster: Cluster, fleet: Fleet): readonly RenderedFile[] => [
  file(cluster, 'hosts', 'who is in which group', groups(fleet)),
  file(cluster, 'group_vars/all', 'what holds for every host', {
    ...sshVariables,
  }),
  ...fleet.nodes.map((node) =>
    file(cluster, `host_vars/${node.name}`, `how ${node.name} is reached`, nodeVariables(node, cluster)),
  ),
];

const file = (cluster: Cluster, path: string, why: string, data: Data): RenderedFile =>
  dataFile(cluster.name, `inventory/${path}.yml`, { why, data });

function groups(fleet: Fleet): Data {
  const { all = [], ...members } = Object.fromEntries(fleetGroups(fleet));
  const named = (names: readonly string[]): Data => Object.fromEntries(names.map((name) => [name, {}]));
  return {
    all: {
      hosts: named(all),
      children: {
        ...Object.fromEntries(
          Object.entries(members).map(([group, names]) => [group, { hosts: named(names) }]),
        ),
        ...reachedGroup,
      },
    },
  };
}

function nodeVariables({ name, role, user }: FleetNode, { machines }: Cluster): Data {
  const machine = machines.find((each) => each.name === name);
  return {
    ...(machine ? machineVariables(machine) : {}),
    // The control node is the Ansible server itself.
    ...(role === 'control' ? { ansible_connection: 'local' } : {}),
    mesh_role: role,
    mesh_user: user,
    mesh_packages: role === 'execution' ? [...common, ...running] : common,
  };
}

const common = ['receptor', 'openssl'];
const running = ['ansible-core', 'python3-ansible-runner', 'openssh-client', 'sshpass'];
