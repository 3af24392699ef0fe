import type { Cluster } from '../../cluster/cluster.ts';
import { dataFile, expression, type Data } from '../../data-file.ts';
import type { Fill } from '../../engine.ts';
import { reachedGroup } from '../groups.ts';
import { machineVariables } from '../inventory.ts';
import { verifiedSsh } from '../ssh-arguments.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { deployGroup, deployHostOf } from './groups.ts';
import { osaPhases } from './phases.ts';

/** Inventory and playbooks of such a bundle; a program that several playbooks use is in it once. */
export function osaFiles(cluster: Cluster, fill: Fill): readonly RenderedFile[] {
  const [machine] = cluster.machines;
  const name = deployHostOf(cluster);
  const file = (path: string, why: string, data: Data): RenderedFile =>
    dataFile(cluster.name, `inventory/${path}.yml`, { why, data });
  const files = [
    file('hosts', 'the deploy host of OpenStack-Ansible', {
      all: { hosts: { [name]: {} }, children: { [deployGroup]: { hosts: { [name]: {} } }, ...reachedGroup } },
    }),
    file('group_vars/all', 'what holds for every host', {
      ansible_ssh_common_args: expression(verifiedSsh),
    }),
    file(
      `host_vars/${name}`,
      `how ${name} is reached`,
      machine ? machineVariables(machine) : { ansible_connection: 'local' },
    ),
    ...osaPhases.filter(({ applies }) => applies(cluster)).flatMap(({ render }) => render(cluster, fill)),
  ];
  return [...new Map(files.map((each) => [each.path, each])).values()];
}
