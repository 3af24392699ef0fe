/** Names of the variables that hold secrets: all that a bundle knows about them. */
export const secretVariables = {
  stats: 'vault_haproxy_stats_password',
  vrrp: 'vault_keepalived_password',
  password: 'vault_ssh_password',
  becomePassword: 'vault_ssh_become_password',
} as const;

/** The variable of one machine's own password; names have no underscore, so two machines never share one. */
export const passwordVariable = (key: 'password' | 'becomePassword', machine: string): string =>
  `${secretVariables[key]}_${machine.replaceAll('-', '_')}`;
