import type { Cluster } from './cluster/cluster.ts';
import { collectionOf } from './collection.ts';
import { engine, type Templates } from './engine.ts';
import { kindOf } from './kinds/kinds.ts';
import { scopeInventory, wholeCluster } from './operations/scope.ts';
import { bootstrap } from './phases/bootstrap.ts';
import { knownHosts } from './phases/known-hosts.ts';
import { renderedFile } from './phases/phase.ts';
import { operationFiles, phasesOf, siteFile } from './playbooks.ts';
import { readme } from './readme.ts';
import { byPath, type RenderedFile } from './rendered-file.ts';

/** Cluster → every file of its bundle but the manifest, sorted by path. */
export function render(cluster: Cluster, templates: Templates): readonly RenderedFile[] {
  const fill = engine(templates, cluster.name, cluster.uid);
  const files = [
    renderedFile('README.md', readme(cluster, fill)),
    renderedFile(
      'ansible.cfg',
      fill('inventory/ansible.cfg.hbs', { kubeadm: cluster.kubernetes.installer === 'kubeadm' }),
    ),
    bootstrap(cluster, fill),
    renderedFile('known_hosts', knownHosts(cluster)),
    scopeInventory(cluster.name, wholeCluster(cluster)),
    ...kindOf(cluster).files(cluster, fill),
    ...phasesOf(cluster).flatMap((phase) => phase.render(cluster, fill)),
    ...operationFiles(cluster, fill),
    ...siteFile(cluster, fill),
  ];
  // Ansible finds a collection that lies beside the playbook.
  return once([...files, ...collectionOf(files, templates)]).sort(byPath);
}

/** A program that several phases use is in the bundle once; two texts for one path are a mistake of ours. */
function once(files: readonly RenderedFile[]): RenderedFile[] {
  const known = new Map<string, RenderedFile>();
  for (const file of files) {
    if ((known.get(file.path) ?? file).text !== file.text)
      throw new TypeError(`two phases render ${file.path}, each otherwise`);
    known.set(file.path, file);
  }
  return [...known.values()];
}
