import { isMap, isSeq, LineCounter, parseAllDocuments, type Document, type Node, type YAMLMap } from 'yaml';
import { lexicalProblem } from '../../source/limits.ts';
import { kubernetesTags } from './kubernetes-tags.ts';
import type { PortProblem } from './service-ports.ts';

/** An object of a manifest, as kubectl reads it. */
export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** As written; empty: none is. */
  readonly namespace: string;
  /** Plain JSON data. */
  readonly object: Fields;
  /** Like `manifests/web.yaml:12:1`: where the object begins. */
  readonly place: string;
}

export type Fields = Readonly<Record<string, unknown>>;

export interface ManifestObjects {
  readonly objects: readonly ManifestObject[];
  readonly problems: readonly PortProblem[];
}

/** Every object of a manifest of one or more documents, those of Lists one by one; and all that is wrong, with line and column. */
export function readObjects(text: string, file: string): ManifestObjects {
  const lines = new LineCounter();
  const lexical = lexicalProblem(text);
  if (lexical) return problem(`${file}:1:1`, lexical);
  const documents = parseAllDocuments(text, {
    lineCounter: lines,
    prettyErrors: false,
    merge: true,
    customTags: (tags) => [...kubernetesTags, ...tags],
  });
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${Math.max(1, line)}:${Math.max(1, col)}`;
  };
  if (!Array.isArray(documents)) return problem(`${file}:1:1`, noObject);
  const [error] = documents.flatMap((document) => document.errors);
  // What the reader says may quote the text, which may be a secret.
  if (error)
    return problem(place(error.pos[0]), { wrong: 'this is not YAML', right: 'what `kubectl apply` takes' });
  const read = documents.flatMap((document) => fromDocument(document, place));
  return read.length === 0
    ? problem(`${file}:1:1`, noObject)
    : {
        objects: read.flatMap((each) => ('kind' in each ? [each] : [])),
        problems: read.flatMap((each) => ('wrong' in each ? [each] : [])),
      };
}

type PlaceOfOffset = (offset: number) => string;
type ObjectOrProblem = ManifestObject | PortProblem;

const noObject = { wrong: 'it holds no object of Kubernetes', right: 'at least one, or the file left out' };

const problem = (place: string, { wrong, right }: Omit<PortProblem, 'place'>): ManifestObjects => ({
  objects: [],
  problems: [{ place, wrong, right }],
});

function fromDocument(document: Document, place: PlaceOfOffset): readonly ObjectOrProblem[] {
  const { contents } = document;
  if (contents === null) return [];
  if (!isMap(contents)) return [{ place: place(offsetOf(contents)), ...notAnObject }];
  const kind = contents.get('kind');
  const items = contents.get('items', true);
  if (typeof kind !== 'string' || !kind.endsWith('List') || !isSeq(items))
    return [judgeObject(contents, { document, place })];
  return items.items.map((item) =>
    isMap(item)
      ? judgeObject(item, { document, place, more: inheritedFields(contents, kind) })
      : { place: place(offsetOf(item as Node | null)), ...notAnObject },
  );
}

/** Items of a ConfigMapList are ConfigMaps, although they may not say so. */
const inheritedFields = (list: YAMLMap, kind: string): Fields =>
  kind === 'List' ? {} : { apiVersion: list.get('apiVersion'), kind: kind.slice(0, -'List'.length) };

const notAnObject = { wrong: 'this is no object of Kubernetes', right: 'apiVersion, kind and metadata' };

interface ObjectContext {
  readonly document: Document;
  readonly place: PlaceOfOffset;
  /** What a List says of its items. */
  readonly more?: Fields;
}

function judgeObject(node: YAMLMap, { document, place, more = {} }: ObjectContext): ObjectOrProblem {
  const start = place(offsetOf(node));
  const data = plain(node, document);
  if (data === undefined)
    return { place: start, wrong: 'this object has too many aliases', right: 'the values themselves' };
  const object = withoutServerFields({ ...more, ...data });
  const { apiVersion, kind, metadata } = object;
  if (typeof kind !== 'string' || kind === '')
    return { place: start, wrong: 'this object has no `kind`', right: 'kind: Deployment' };
  if (typeof apiVersion !== 'string' || apiVersion === '')
    return { place: start, wrong: `this ${kind} has no \`apiVersion\``, right: 'apiVersion: apps/v1' };
  const { name, namespace = '', generateName } = fieldsOf(metadata);
  const at = (...keys: string[]): string => place(offsetOf((node.getIn(keys, true) ?? node) as Node));
  if (typeof name !== 'string' || !objectNamePattern.test(name))
    return {
      place: at('metadata', 'name'),
      wrong:
        generateName === undefined
          ? `this ${kind} has no sound \`metadata.name\``
          : `this ${kind} gets another name each time it is applied`,
      right: 'metadata: { name: web }',
    };
  if (typeof namespace !== 'string' || (namespace !== '' && !labelPattern.test(namespace)))
    return {
      place: at('metadata', 'namespace'),
      wrong: `the namespace of the ${kind} ${name} is not a name that Kubernetes takes`,
      right: 'small letters, digits and hyphens, like tenant-a',
    };
  return { apiVersion, kind, name, namespace, object, place: start };
}

function plain(node: YAMLMap, document: Document): Fields | undefined {
  try {
    return node.toJS(document, { maxAliasCount: 100 }) as Fields;
  } catch {
    return undefined;
  }
}

/** What the API server says of an object itself is not for anybody to apply. */
function withoutServerFields(object: Fields): Fields {
  const metadata = without(fieldsOf(object['metadata']), ofServer);
  return { ...without(object, ['status']), metadata };
}

const ofServer = ['creationTimestamp', 'generation', 'managedFields', 'resourceVersion', 'selfLink', 'uid'];

const without = (fields: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)));

/** The fields of a mapping; of anything else none. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const offsetOf = (node: Node | null): number => node?.range?.[0] ?? 0;

/** Roles and their bindings may have colons. */
const objectNamePattern = /^[a-z0-9](?:[a-z0-9.:-]{0,251}[a-z0-9])?$/;
const labelPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
