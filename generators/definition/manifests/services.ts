import { isMap, isSeq, LineCounter, parseAllDocuments, type Document, type Node } from 'yaml';
import { lexicalProblem } from '../../source/limits.ts';
import { judgeService, type PortProblem, type ManifestServices } from './service-ports.ts';

/** Reads Services of type NodePort and LoadBalancer out of a manifest of one or more documents. */
export function readServices(text: string, file: string): ManifestServices {
  const lines = new LineCounter();
  const lexical = lexicalProblem(text);
  if (lexical) return wrongAt(`${file}:1:1`, lexical);
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false });
  if (!Array.isArray(documents)) return { ports: [], problems: [] };
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${Math.max(1, line)}:${Math.max(1, col)}`;
  };
  const errors = documents.flatMap((document) => document.errors);
  const [error] = errors;
  // What the reader says may quote the text, which may be a secret.
  if (error) return wrongAt(place(error.pos[0]), { wrong: 'this is not YAML', right: 'what kubectl takes' });
  const judged = documents.flatMap((document) =>
    objectsOf(document).map((object) =>
      judgeService(plain(object, document), (path) => place(offsetOf(object, path))),
    ),
  );
  return {
    ports: judged.flatMap(({ ports }) => ports),
    problems: judged.flatMap(({ problems }) => problems),
  };
}

const wrongAt = (place: string, { wrong, right }: Omit<PortProblem, 'place'>): ManifestServices => ({
  ports: [],
  problems: [{ place, wrong, right }],
});

/** The object of a document, or those of a List. */
function objectsOf({ contents }: Document): readonly Node[] {
  if (!isMap(contents)) return [];
  const items = contents.get('items', true);
  return contents.get('kind') === 'List' && isSeq(items)
    ? items.items.filter((item): item is Node => isMap(item))
    : [contents];
}

function plain(object: Node, document: Document): unknown {
  try {
    return object.toJS(document, { maxAliasCount: 100 });
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
