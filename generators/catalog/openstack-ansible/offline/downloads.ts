import type { OpenStackAnsibleMagnum } from '../../../cluster/cluster.ts';
import { integratedDownloads } from './integrated.ts';
import type { Downloads, OfflineFile } from './kinds.ts';
import { opsDownloads } from './ops.ts';

/**
 * What OpenStack-Ansible's own functional test downloads whether it is run or not: `roles/sonobuoy/meta/main.yml` of
 * osa_ops.mcapi_vexxhost and of openstack.osa. The roles know no sum of it.
 */
export function sonobuoyOf({ layout }: OpenStackAnsibleMagnum): OfflineFile {
  const version = layout === 'ops' ? '0.57.1' : '0.57.3';
  const url = `https://github.com/vmware-tanzu/sonobuoy/releases/download/v${version}/sonobuoy_${version}_linux_amd64.tar.gz`;
  return {
    ...{ url, base: url, sha256: '', sums: '', variable: 'sonobuoy_download_url' },
    version: { sonobuoy_version: version },
  };
}

export const downloadsOf = ({ layout, versions }: OpenStackAnsibleMagnum): Downloads =>
  layout === 'ops' ? opsDownloads(versions) : integratedDownloads(versions);
