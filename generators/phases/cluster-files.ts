import type { Cluster } from '../cluster/cluster.ts';
import type { Fill } from '../engine.ts';
import type { RenderedFile } from '../rendered-file.ts';
import { cnfFiles } from './cnf/cnf.ts';
import { inventory } from './inventory.ts';
import { isOffline } from './offline.ts';
import { rendered } from './phase.ts';

/** What the playbooks of a cluster use: its inventory, the files of its CNFs, and the collection. */
export const clusterFiles = (cluster: Cluster, fill: Fill): readonly RenderedFile[] => [
  ...inventory(cluster),
  ...cnfFiles(cluster, fill),
  // Ansible finds a collection that lies beside the playbook.
  ...collection(cluster, fill),
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
