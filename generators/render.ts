import type { Cluster } from './cluster.ts';
import { engine, type Fill, type Templates } from './engine.ts';
import { operationFiles, phasesOf } from './operations/playbooks.ts';
import { osaFiles } from './osa/bundle-files.ts';
import { scopeInventory, wholeCluster } from './operations/scope.ts';
import { bootstrap } from './phases/bootstrap.ts';
import { cnfFiles } from './phases/cnf.ts';
import { inventory } from './phases/inventory.ts';
import { knownHosts } from './phases/known-hosts.ts';
import { rendered } from './phases/phase.ts';
import { readme } from './readme.ts';
import { byPath, type RenderedFile } from './rendered-file.ts';

/** Cluster → every file of its bundle but the manifest, sorted by path. */
export function render(cluster: Cluster, templates: Templates): readonly RenderedFile[] {
  const fill = engine(templates, cluster.name);
  return [
    rendered('README.md', readme(cluster, fill)),
    rendered('ansible.cfg', fill('inventory/ansible.cfg.hbs', {})),
    bootstrap(cluster, fill),
    rendered('known_hosts', knownHosts(cluster)),
    scopeInventory(cluster.name, wholeCluster(cluster)),
    ...(cluster.osa === undefined ? clusterFiles(cluster, fill) : osaFiles(cluster, fill)),
  ].sort(byPath);
}

const clusterFiles = (cluster: Cluster, fill: Fill): readonly RenderedFile[] => [
  ...inventory(cluster),
  ...cnfFiles(cluster, fill),
  // Ansible finds a collection that lies beside the playbook.
  rendered(
    'collections/ansible_collections/playsmith/host/plugins/modules/files.py',
    fill('modules/files.py.hbs', {}),
  ),
  ...phasesOf(cluster).flatMap((phase) => phase.render(cluster, fill)),
  ...operationFiles(cluster, fill),
];
