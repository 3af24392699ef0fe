import type { Label, Taint } from '../cluster/cluster.ts';
import { nodeLabels } from '../definition/derived.ts';
import type { Definition } from '../definition/schema/schema.ts';

type NodeDefinition = Definition['nodes'][number];

/** Labels of the node, zone and compute host among them, sorted by key. */
export const resolveLabels = ({ labels = {}, zone, computeHost }: NodeDefinition): readonly Label[] =>
  [
    ...Object.entries(labels).map(([key, value]) => ({ key, value })),
    ...(zone === undefined ? [] : [{ key: nodeLabels.zone, value: zone }]),
    ...(computeHost === undefined ? [] : [{ key: nodeLabels.computeHost, value: computeHost }]),
  ].sort((a, b) => (a.key < b.key ? -1 : 1));

export const resolveTaints = ({ taints = [] }: NodeDefinition): readonly Taint[] =>
  taints.map(({ key, value = '', effect }) => ({ key, value, effect }));
