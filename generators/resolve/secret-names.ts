import { variableName } from '../cluster/variable-name.ts';

/** Names of the variables that hold secrets: all that a bundle knows about them. */
export const secretVariables = {
  stats: 'vault_haproxy_stats_password',
  vrrp: 'vault_keepalived_password',
  externalVrrp: 'vault_external_keepalived_password',
  password: 'vault_ssh_password',
  becomePassword: 'vault_ssh_become_password',
  encryption: 'vault_encryption_key',
  cloudConfig: 'vault_cloud_config',
  proxyUser: 'vault_proxy_user',
  proxyPassword: 'vault_proxy_password',
  backupIdentity: 'vault_backup_identity',
} as const;

/** The variable of one machine's own password. */
export const passwordVariable = (key: 'password' | 'becomePassword', machine: string): string =>
  `${secretVariables[key]}_${variableName(machine)}`;

/** The variable of a registry's password: dots, hyphens and colons stay apart, so two registries never share one. */
export const registryVariable = (host: string): string =>
  `vault_registry_password_${host.replaceAll('-', '__').replaceAll(':', '___').replaceAll('.', '_')}`;

/** The variable of a key of a copy of snapshots. */
export const backupVariable = (copy: string, key: string): string =>
  `vault_backup_${copy.replaceAll('-', '_')}_${key}`;
