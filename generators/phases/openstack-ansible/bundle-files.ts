import type { Cluster } from '../../cluster/cluster.ts';
import { dataFile, type Data } from '../../data-file.ts';
import { reachedGroup } from '../groups.ts';
import { machineVariables } from '../inventory.ts';
import { sshVariables } from '../ssh-arguments.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { deployGroup, deployHostOf } from './groups.ts';

/** The inventory of such a bundle: its deploy host. */
export function osaFiles(cluster: Cluster): readonly RenderedFile[] {
  const [machine] = cluster.machines;
  const name = deployHostOf(cluster);
  const file = (path: string, why: string, data: Data): RenderedFile =>
    dataFile(cluster.name, `inventory/${path}.yml`, { why, data });
  return [
    file('hosts', 'the deploy host of OpenStack-Ansible', {
      all: { hosts: { [name]: {} }, children: { [deployGroup]: { hosts: { [name]: {} } }, ...reachedGroup } },
    }),
    file('group_vars/all', 'what holds for every host', {
      ...sshVariables,
    }),
    file(
      `host_vars/${name}`,
      `how ${name} is reached`,
      machine ? machineVariables(machine) : { ansible_connection: 'local' },
    ),
  ];
}
