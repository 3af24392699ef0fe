import type { OpenStackAnsibleMagnum } from '../../../cluster/cluster.ts';
import { expression, type DataByName } from '../../../data-file.ts';
import { constraintsUrl } from '../mirror.ts';
import { releases } from '../../../catalog/openstack-ansible/releases.ts';

/** Names of hosts and of playbooks are looked up before any group is known, so variables of groups are ignored for them. */
export const userVariables = (osa: OpenStackAnsibleMagnum): DataByName => ({
  ...(osa.hooks
    ? {
        post_setup_infrastructure_hook: 'osa_ops.mcapi_vexxhost.mcapi_control_plane_k8s',
        pre_setup_openstack_hook: 'osa_ops.mcapi_vexxhost.mcapi_magnum_integration',
      }
    : {}),
  ...(osa.proxy.hosts === '' ? {} : proxyVariables(osa)),
});

/**
 * The proxy announces `POD_IP`, whatever it listens on. Its hosts are not in the group of Magnum, so they are told the
 * version of the driver here, else they would install another one.
 */
function proxyVariables({
  release,
  proxy,
  versions,
  driverSource,
  offline,
}: OpenStackAnsibleMagnum): DataByName {
  const names = releases[release]?.proxy;
  if (names === undefined) throw new TypeError('a release passed the reader');
  return {
    [names.hosts]: proxy.hosts,
    [names.environment]: {
      PROXY_BIND: expression('{{ management_address }}'),
      PROXY_PORT: proxy.port,
      POD_IP: expression('{{ management_address }}'),
    },
    [names.version]: versions.driver,
    [names.source]: driverSource,
    ...(offline.registry === '' ? {} : { [names.constraints]: constraintsUrl(offline.files) }),
  };
}
