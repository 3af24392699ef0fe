import { profile } from '../../generators/definition/profiles.ts';
import type { LabDescription } from './describe.ts';

/** The definition of the cluster that a lab is made for, `schema` being the path of the JSON Schema for the editor. */
export function labDefinition(lab: LabDescription, schema: string): string {
  const of = (name: string): string => lab.hosts.find((host) => host.name === name)?.hostKey ?? '';
  const server = lab.hosts.find(({ roles }) => roles.includes('ansible'));
  return profile('lab', {
    schema,
    name: lab.name,
    ansibleServer: {
      host: server?.address ?? '',
      user: lab.user,
      auth: { privateKey: lab.keyPath },
      hostKey: of(server?.name ?? ''),
    },
    ssh: { user: lab.user, privateKey: lab.serverKeyPath, becomePassword: { file: lab.passwordPath } },
    endpoint: { address: `${lab.vip}/24`, port: 6440 },
    machines: lab.hosts.flatMap((host) => {
      const roles = host.roles.flatMap((role) =>
        role === 'control-plane' || role === 'worker' || role === 'load-balancer' ? [role] : [],
      );
      return roles.length === 0
        ? []
        : [{ name: host.name, address: host.address, roles, ssh: { hostKey: host.hostKey } }];
    }),
  });
}
