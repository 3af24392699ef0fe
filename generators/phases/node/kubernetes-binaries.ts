import type { Cluster } from '../../cluster/cluster.ts';
import { artifactsView, isOffline } from '../offline.ts';

/** What the partials `kubernetes_source` and `kubernetes_binaries` are told. */
export const kubernetesBinariesView = (cluster: Cluster): Readonly<Record<string, unknown>> => ({
  offline: isOffline(cluster),
  artifacts: artifactsView(cluster),
  version: cluster.kubernetes.version,
  keyUrl: `${repositoryOf(cluster)}Release.key`,
});

/** The repository of the minor version, with a slash at its end. */
export function repositoryOf({ kubernetes: { repository, version } }: Cluster): string {
  const minor = version.split('.').slice(0, 2).join('.');
  return `${repository}/v${minor}/deb/`;
}
