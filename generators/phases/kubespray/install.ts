import type { Cluster } from '../../cluster/cluster.ts';
import type { Fill, View } from '../../engine.ts';
import { kubesprayTemplate } from '../../catalog/python/requirements.ts';
import { requirementsOf } from '../../catalog/kubespray/features.ts';
import { isKubespray } from './phase.ts';
import { releaseOf } from '../../catalog/kubespray/releases.ts';

/** What `bootstrap.sh` is told: one entry, or none where kubespray installs nothing. */
export function installView(cluster: Cluster, fill: Fill): readonly View[] {
  const { version, source, tree, python, wheels } = cluster.kubespray;
  const release = releaseOf(version);
  if (!isKubespray(cluster) || release === undefined) return [];
  const [from, to] = release.python;
  const locked = kubesprayTemplate(version);
  return [
    {
      ...{ version, tree, python, wheels },
      ...{ pythonFrom: from, pythonTo: to, leastPython: number(from), mostPython: number(to) },
      requirements: requirementsOf(release.minor),
      installable: locked !== undefined || wheels !== '',
      locked: locked === undefined ? '' : fill(locked, {}),
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
