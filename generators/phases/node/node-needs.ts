import { containerdFor } from '../../catalog/kubernetes/containerd.ts';
import { gatesRemovedIn } from '../../catalog/kubernetes/feature-gates.ts';
import { kubeletArgumentsRemovedIn } from '../../catalog/kubernetes/removed.ts';
import { kernelFor, refusesCgroupV1, runcForCgroupV2 } from '../../catalog/kubernetes/hosts.ts';
import { minorOf } from '../../catalog/kubernetes/version.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Fill } from '../../engine.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { rendered } from '../phase.ts';

/** What looks whether a host fits the release of Kubernetes: preflight before it becomes a node, upgrade before it changes. */
export function nodeNeeds({ kubernetes, containerd }: Cluster, fill: Fill): RenderedFile {
  const minor = minorOf(kubernetes.version);
  const { lines, from } = kernelFor(minor);
  const { atLeast, refusedBefore } = containerdFor(minor);
  const view = {
    minor,
    refusesCgroupV1: refusesCgroupV1(minor) && kubernetes.kubelet['failCgroupV1'] !== false,
    kernels: lines.join(' '),
    kernelsFrom: from,
    containerd: atLeast.join(' '),
    containerdRefusedBefore: refusedBefore,
    runc: runcForCgroupV2,
    replaced: containerd.source === 'archive',
    gates: gatesRemovedIn(minor),
    arguments: kubeletArgumentsRemovedIn(minor).join(' '),
  };
  return rendered('files/preflight/needs.py', fill('preflight/needs.py.hbs', view));
}
