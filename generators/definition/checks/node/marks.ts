import { nodeLabels, type DraftNode } from '../../derived.ts';
import { problemAt, keyProblemAt, type Finding } from '../../../source/finding.ts';
import type { Facts } from '../facts.ts';
import { repetitions } from './repeated.ts';

/** No label and no taint of a node is said twice. */
export const marks = ({ draft }: Facts): readonly Finding[] =>
  (draft.nodes ?? []).flatMap((node, index) =>
    node ? [...labels(node, index), ...taints(node, index)] : [],
  );

const labels = (node: DraftNode, index: number): Finding[] =>
  (['zone', 'computeHost'] as const)
    .filter((key) => node[key] !== undefined && node.labels?.[nodeLabels[key]] !== undefined)
    .map((key) =>
      keyProblemAt(
        ['nodes', index, 'labels', nodeLabels[key]],
        `the label ${nodeLabels[key]} is what \`${key}\` says already`,
        'one of the two',
      ),
    );

const taints = ({ taints: written = [] }: DraftNode, index: number): Finding[] =>
  repetitions(
    written.map((taint, position) => ({ ...taint, position })),
    ({ key, effect }) => (key === undefined || effect === undefined ? undefined : `${key} ${effect}`),
  ).map(([{ key = '', effect = '', position }]) =>
    problemAt(
      ['nodes', index, 'taints', position],
      `the taint ${key} with ${effect} is listed twice`,
      'each key once with each effect',
    ),
  );
