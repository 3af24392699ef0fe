import type { Cluster } from './cluster/cluster.ts';
import { engine, type Fill, type Templates } from './engine.ts';
import { operationFiles, phasesOf } from './playbooks.ts';
import { fleetFiles } from './phases/fleet/bundle-files.ts';
import { osaFiles } from './phases/openstack-ansible/bundle-files.ts';
import { scopeInventory, wholeCluster } from './operations/scope.ts';
import { bootstrap } from './phases/bootstrap.ts';
import { cnfFiles } from './phases/cnf/cnf.ts';
import { inventory } from './phases/inventory.ts';
import { knownHosts } from './phases/known-hosts.ts';
import { isOffline } from './phases/offline.ts';
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
    ...ownFiles(cluster, fill),
  ].sort(byPath);
}

function ownFiles(cluster: Cluster, fill: Fill): readonly RenderedFile[] {
  if (cluster.fleet !== undefined)
    return [...fleetFiles(cluster, cluster.fleet), ...playbookFiles(cluster, fill)];
  return cluster.osa === undefined ? clusterFiles(cluster, fill) : osaFiles(cluster, fill);
}

const clusterFiles = (cluster: Cluster, fill: Fill): readonly RenderedFile[] => [
  ...inventory(cluster),
  ...cnfFiles(cluster, fill),
  // Ansible finds a collection that lies beside the playbook.
  ...collection(cluster, fill),
  ...playbookFiles(cluster, fill),
];

const playbookFiles = (cluster: Cluster, fill: Fill): readonly RenderedFile[] => [
  ...phasesOf(cluster).flatMap((phase) => phase.render(cluster, fill)),
  ...operationFiles(cluster, fill),
];

const plugins = 'collections/ansible_collections/playsmith/host/plugins';

const collection = (cluster: Cluster, fill: Fill): readonly RenderedFile[] => [
  rendered(`${plugins}/modules/files.py`, fill('modules/files.py.hbs', {})),
  ...(isOffline(cluster)
    ? [
        rendered(`${plugins}/action/artifacts.py`, fill('modules/artifacts-action.py.hbs', {})),
        rendered(`${plugins}/modules/artifacts.py`, fill('modules/artifacts.py.hbs', {})),
      ]
    : []),
];
