import { profile, type ProfileMachine } from '../../generators/definition/profiles.ts';
import type { LabDescription } from './describe.ts';

/** The definition of the cluster that a lab is made for, `schema` being the path of the JSON Schema for the editor. */
export function labDefinition(lab: LabDescription, schema: string): string {
  const server = lab.hosts.find(({ roles }) => roles.includes('ansible'));
  return profile('lab', {
    schema,
    name: lab.name,
    ansibleServer: {
      host: server?.address ?? '',
      user: lab.user,
      auth: { privateKey: lab.keyPath },
      hostKey: server?.hostKey ?? '',
      becomePassword: { file: lab.passwordPath },
    },
    ssh: { user: lab.user, privateKey: lab.serverKeyPath, becomePassword: { file: lab.passwordPath } },
    endpoint: { address: `${lab.vip}/24`, port: 6440 },
    machines: machinesOf(lab),
  });
}

function machinesOf({ hosts }: LabDescription): readonly ProfileMachine[] {
  // Without workers of its own, a lab's control planes run workloads as well.
  const lacksWorkers = !hosts.some(({ roles }) => roles.includes('worker'));
  return hosts.flatMap<ProfileMachine>(({ name, address, hostKey, roles }) => {
    const machine = { name, address, ssh: { hostKey } };
    if (roles.includes('control-plane'))
      return [{ ...machine, roles: lacksWorkers ? ['control-plane', 'worker'] : ['control-plane'] }];
    if (roles.includes('worker')) return [{ ...machine, roles: ['worker'] }];
    return roles.includes('load-balancer') ? [{ ...machine, roles: ['load-balancer'] }] : [];
  });
}
