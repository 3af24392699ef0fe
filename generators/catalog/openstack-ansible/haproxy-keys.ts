/** Keys of a service that the templates and tasks of OpenStack-Ansible's role haproxy_server read. It ignores all others. */
export const readByHaproxy: readonly string[] = [
  ...['haproxy_service_name', 'haproxy_service_enabled', 'state', 'haproxy_limit_hosts'],
  ...['haproxy_backend_nodes', 'haproxy_backup_nodes', 'haproxy_port', 'haproxy_backend_port'],
  ...['haproxy_check_port', 'haproxy_balance_type', 'haproxy_balance_alg', 'haproxy_bind'],
  ...['haproxy_ssl', 'haproxy_ssl_all_vips', 'haproxy_ssl_path', 'haproxy_frontend_h2', 'haproxy_backend_h2'],
  ...['haproxy_redirect_http_port', 'haproxy_redirect_scheme', 'haproxy_accept_both_protocols'],
  ...['haproxy_frontend_only', 'haproxy_backend_only', 'haproxy_default_backend'],
  ...['haproxy_acls', 'haproxy_frontend_acls', 'haproxy_maps', 'haproxy_map_entries'],
  ...['haproxy_frontend_raw', 'haproxy_backend_arguments', 'haproxy_backend_options'],
  ...['haproxy_backend_httpcheck_options', 'haproxy_backend_server_options'],
  ...['haproxy_backend_ssl', 'haproxy_backend_ssl_check', 'haproxy_backend_ca', 'haproxy_allowlist_networks'],
  ...[
    'haproxy_stick_table',
    'haproxy_stick_table_enabled',
    'haproxy_timeout_client',
    'haproxy_timeout_server',
  ],
  ...[
    'haproxy_http_keepalive_mode',
    'interval',
    'backend_rise',
    'backend_fall',
    'backup_rise',
    'backup_fall',
  ],
];

/** Keys that stand in many examples, that of the driver among them, and are read by nobody. */
export const misnamedKeys: Readonly<Record<string, string>> = {
  haproxy_interval: 'interval',
  haproxy_backend_rise: 'backend_rise',
  haproxy_backend_fall: 'backend_fall',
  haproxy_backup_rise: 'backup_rise',
  haproxy_backup_fall: 'backup_fall',
};
