import type { Cluster } from '../cluster/cluster.ts';
import type { RenderedFile } from '../rendered-file.ts';
import { cnfFiles } from './cnf/cnf.ts';
import { inventory } from './inventory.ts';

/** What the playbooks of a cluster use: its inventory, and the files of its CNFs. */
export const clusterFiles = (cluster: Cluster): readonly RenderedFile[] => [
  ...inventory(cluster),
  ...cnfFiles(cluster),
];
