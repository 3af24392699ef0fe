import type { Cluster } from '../../generators/cluster/cluster.ts';
import { exampleClusters } from './examples.ts';

/** The cluster of examples/kubespray.yml. */
export const kubesprayExample: Cluster = exampleOf('kubespray');

function exampleOf(wanted: string): Cluster {
  const found = exampleClusters.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`there is no example ${wanted}`);
  return found;
}
