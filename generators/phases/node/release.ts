import { removedApis } from '../../catalog/kubernetes/apis.ts';
import { containerdFor } from '../../catalog/kubernetes/containerd.ts';
import { etcdStepTo } from '../../catalog/kubernetes/etcd.ts';
import { gatesRemovedIn } from '../../catalog/kubernetes/feature-gates.ts';
import { kernelFor, refusesCgroupV1, runcForCgroupV2 } from '../../catalog/kubernetes/hosts.ts';
import { admissionPluginsRemovedIn, kubeletArgumentsRemovedIn } from '../../catalog/kubernetes/removed.ts';
import { minorOf } from '../../catalog/kubernetes/version.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { dataFile, type Data } from '../../data-file.ts';
import type { RenderedFile } from '../../rendered-file.ts';

/** What the release of Kubernetes does not run on: `preflight` asks new hosts, `upgrade` hosts and the cluster. */
export const releaseFile = (cluster: Cluster): RenderedFile =>
  dataFile(cluster.name, 'files/preflight/release.yml', {
    why: 'what this release of Kubernetes does not run on',
    data: releaseOf(cluster),
  });

/** As modules of the collection take it, see `module_utils/release.py`. */
export function releaseOf({ kubernetes, containerd }: Cluster): Data {
  const minor = minorOf(kubernetes.version);
  const { lines, from } = kernelFor(minor);
  const { atLeast, refusedBefore } = containerdFor(minor);
  const { line, from: etcdFrom, isRefused } = etcdStepTo(minor);
  return {
    minor,
    refuses_cgroup_v1: refusesCgroupV1(minor) && kubernetes.kubelet['failCgroupV1'] !== false,
    kernels: lines,
    kernels_from: from,
    containerd: atLeast,
    containerd_refused_before: refusedBefore,
    containerd_replaced: containerd.source === 'archive',
    runc: runcForCgroupV2,
    etcd: { line, from: etcdFrom, refused: isRefused },
    removed_apis: removedApis(minor)
      .filter(({ since }) => since === minor)
      .map(({ apiVersion, resource }) => `${apiVersion}/${resource}`),
    removed_gates: gatesRemovedIn(minor),
    removed_plugins: admissionPluginsRemovedIn(minor),
    removed_arguments: kubeletArgumentsRemovedIn(minor),
  };
}
