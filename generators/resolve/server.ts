import type { AnsibleInstallation, AnsibleServer, ServerAuth } from '../cluster/cluster.ts';
import { defaults } from '../definition/defaults.ts';
import type { Definition } from '../definition/schema/schema.ts';
import { withoutComment } from '../definition/schema/machines/host-key.ts';
import { referenceOf } from './secrets.ts';

type ServerDefinition = Definition['ansibleServer'];

export const resolveServer = (written: ServerDefinition): AnsibleServer =>
  written === 'local'
    ? {
        kind: 'local',
        directory: defaults.serverDirectory,
        retention: defaults.retention,
        ansible: { kind: 'packages' },
      }
    : {
        kind: 'ssh',
        host: written.host,
        port: written.port ?? 0,
        user: written.user ?? '',
        auth: auth(written.auth),
        hostKey: withoutComment(written.hostKey ?? ''),
        proxyJump: written.proxyJump ?? '',
        directory: written.directory ?? defaults.serverDirectory,
        retention: {
          runs: written.retention?.runs ?? defaults.retention.runs,
          days: written.retention?.days ?? defaults.retention.days,
        },
        becomePassword: written.becomePassword ? referenceOf(written.becomePassword) : null,
        ansible: ansible(written.ansible),
      };

const ansible = (written: Exclude<ServerDefinition, string>['ansible']): AnsibleInstallation =>
  typeof written === 'object' ? { kind: 'venv', ...written.venv } : { kind: 'packages' };

function auth(written: Exclude<ServerDefinition, string>['auth']): ServerAuth {
  if (written?.password) return { kind: 'password', password: referenceOf(written.password) };
  if (written?.agent) return { kind: 'agent' };
  if (written?.privateKey === undefined) return { kind: 'default' };
  const passphrase = written.passphrase ? referenceOf(written.passphrase) : null;
  return { kind: 'privateKey', path: written.privateKey, passphrase };
}
