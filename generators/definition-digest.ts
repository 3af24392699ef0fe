import { createHash } from 'node:crypto';
import type { Cluster } from './cluster/cluster.ts';

/** SHA-256 (hex) of what a definition means: the same for any spelling, order of keys and comments. */
export const definitionDigest = (cluster: Cluster): string =>
  createHash('sha256')
    .update(JSON.stringify(sortKeys(cluster)))
    .digest('hex');

const sortKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sortKeys(each)]));
};
