import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from '../../generators/cluster.ts';
import { load } from '../../generators/definition/load.ts';

const folder = join(import.meta.dirname, '../../examples');

/** The clusters of examples/, in the order of their file names. */
export const exampleClusters: readonly Cluster[] = readdirSync(folder)
  .filter((name) => name.endsWith('.yml'))
  .sort()
  .map((name) => {
    const loaded = load(readFileSync(join(folder, name), 'utf8'), name);
    if (!loaded.ok) throw new Error(`examples/${name} has faults: ${JSON.stringify(loaded.failure)}`);
    return loaded.value.cluster;
  });
