import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { load } from '../../../generators/load.ts';
import { filesBeside } from './files-beside.ts';

const folder = join(import.meta.dirname, '../../../examples');

/** The clusters of examples/, in the order of their file names. */
export const exampleClusters: readonly Cluster[] = readdirSync(folder)
  .filter((name) => name.endsWith('.yml'))
  .sort()
  .map((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const loaded = load(text, name, filesBeside(text, folder));
    if (!loaded.ok) throw new Error(`examples/${name} has faults: ${JSON.stringify(loaded.failure)}`);
    return loaded.value.cluster;
  });
