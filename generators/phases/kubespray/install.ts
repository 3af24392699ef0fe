import type { Cluster } from '../../cluster/cluster.ts';
import type { View } from '../../engine.ts';
import { requirementsOf } from '../../catalog/kubespray/features.ts';
import { isKubespray } from './phase.ts';
import { releaseOf } from '../../catalog/kubespray/releases.ts';

/** What `bootstrap.sh` is told: one entry, or none where kubespray installs nothing. */
export function installView(cluster: Cluster): readonly View[] {
  const { version, source, tree, python, wheels } = cluster.kubespray;
  const release = releaseOf(version);
  if (!isKubespray(cluster) || release === undefined) return [];
  const [from, to] = release.python;
  return [
    {
      ...{ version, tree, python, wheels },
      ...{ pythonFrom: from, pythonTo: to, leastPython: number(from), mostPython: number(to) },
      requirements: requirementsOf(release.minor),
      ...(source.kind === 'git' ? { git: source.url, commit: source.commit } : { git: '', commit: '' }),
      archive: source.kind === 'archive' ? source.path : '',
      sha256: source.kind === 'archive' ? source.sha256 : '',
    },
  ];
}

/** 3.11 as 311, which a shell compares. */
function number(version: string): number {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major * 100 + minor;
}
