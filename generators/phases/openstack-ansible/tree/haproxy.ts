import type { OpenStackAnsibleMagnum, OsaSetting } from '../../../cluster/cluster.ts';
import { expression, type Data } from '../../../data-file.ts';

/**
 * The service `k8s` of OpenStack-Ansible's HAProxy. Release 2026.1 ships one, of which we correct what is wrong: it
 * listens on the external address as well, and three of its keys are read by nobody.
 */
export function haproxyService(osa: OpenStackAnsibleMagnum): Readonly<Record<string, Data>> {
  const corrected = { ...corrections(osa), ...asData(osa.haproxyService) };
  if (osa.layout === 'integrated') return { haproxy_k8s_service_overrides: corrected };
  return {
    haproxy_k8s_service: { ...service, ...corrected },
    k8s_haproxy_services: [
      expression('{{ haproxy_k8s_service | combine(haproxy_k8s_service_overrides | default({})) }}'),
    ],
  };
}

const corrections = ({ controlPlane }: OpenStackAnsibleMagnum): Readonly<Record<string, Data>> => ({
  haproxy_bind: controlPlane.bindAddress === '' ? internal : [controlPlane.bindAddress],
  interval: 15_000,
  backend_rise: 2,
  backend_fall: 2,
  // Its rules are for HTTP, and this is TCP.
  haproxy_stick_table_enabled: false,
  // ssl-hello-chk would be another check than httpchk, and the last one wins; tcplog belongs to frontends.
  haproxy_backend_options: ['log-health-checks', 'httpchk GET /healthz'],
});

const internal = expression(
  "{{ [{'address': haproxy_bind_internal_lb_vip_address | default(internal_lb_vip_address), 'interface': haproxy_bind_internal_lb_vip_interface | default('')}] }}",
);

const service: Readonly<Record<string, Data>> = {
  haproxy_service_name: 'k8s',
  haproxy_service_enabled: expression(
    "{{ groups['k8s_all'] is defined and groups['k8s_all'] | length > 0 }}",
  ),
  haproxy_backend_nodes: expression("{{ groups['k8s_all'] | default([]) }}"),
  haproxy_ssl: false,
  haproxy_ssl_all_vips: false,
  haproxy_port: 6443,
  haproxy_backend_port: 6443,
  haproxy_balance_type: 'tcp',
  haproxy_balance_alg: 'leastconn',
  haproxy_timeout_server: '15m',
  haproxy_timeout_client: '5m',
  haproxy_backend_httpcheck_options: ['send hdr User-Agent "osa-haproxy-healthcheck" meth GET uri /healthz'],
  haproxy_backend_server_options: ['check-ssl', 'verify none'],
};

const asData = (settings: Readonly<Record<string, OsaSetting>>): Readonly<Record<string, Data>> => settings;
