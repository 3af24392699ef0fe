import { isMap, isSeq, type Document, type Node } from 'yaml';
import { itemsOf, readDocuments, wrongNumbers } from './documents.ts';
import { judgeService, type ManifestServices } from './service-ports.ts';

/** Reads Services of type NodePort and LoadBalancer out of a manifest of one or more documents. */
export function readServices(text: string, file: string): ManifestServices {
  const read = readDocuments(text, file);
  if (!read.ok) return { ports: [], problems: [read.failure] };
  const { documents, place } = read.value;
  const judged = documents.flatMap((document) =>
    itemsOf(document).flatMap(({ node, more }) =>
      isMap(node)
        ? [judgeService({ ...more, ...plain(node, document) }, (path) => place(offsetOf(node, path)))]
        : [],
    ),
  );
  return {
    ports: judged.flatMap(({ ports }) => ports),
    problems: [
      ...documents.flatMap((document) => wrongNumbers(document, place)),
      ...judged.flatMap(({ problems }) => problems),
    ],
  };
}

function plain(object: Node, document: Document): object | undefined {
  try {
    return object.toJS(document, { maxAliasCount: 100 }) as object;
  } catch {
    return undefined;
  }
}

/** Where the node at a path begins, or the nearest one above it that is there. */
function offsetOf(object: Node, path: readonly (string | number)[]): number {
  let node: unknown = object;
  for (const step of path) {
    const next: unknown = isMap(node) || isSeq(node) ? node.get(step, true) : undefined;
    if (next === undefined || next === null) break;
    node = next;
  }
  return (node as Node).range?.[0] ?? 0;
}
