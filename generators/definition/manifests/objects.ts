import { isMap, type Document, type Node, type YAMLMap } from 'yaml';
import { itemsOf, readDocuments, wrongNumbers, type PlaceOfOffset } from './documents.ts';
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
  const read = readDocuments(text, file);
  if (!read.ok) return { objects: [], problems: [read.failure] };
  const { documents, place } = read.value;
  const found = documents.flatMap((document) => fromDocument(document, place));
  return found.length === 0
    ? { objects: [], problems: [{ place: `${file}:1:1`, ...noObject }] }
    : {
        objects: found.flatMap((each) => ('kind' in each ? [each] : [])),
        problems: found.flatMap((each) => ('wrong' in each ? [each] : [])),
      };
}

type ObjectOrProblem = ManifestObject | PortProblem;

const noObject = { wrong: 'it holds no object of Kubernetes', right: 'at least one, or remove the file' };

function fromDocument(document: Document, place: PlaceOfOffset): readonly ObjectOrProblem[] {
  return [
    ...wrongNumbers(document, place),
    ...itemsOf(document).map(({ node, more }) =>
      isMap(node)
        ? judgeObject(node, { document, place, more })
        : { place: place(offsetOf(node)), ...notAnObject },
    ),
  ];
}

const notAnObject = { wrong: 'this is no object of Kubernetes', right: 'apiVersion, kind and metadata' };

interface ObjectContext {
  readonly document: Document;
  readonly place: PlaceOfOffset;
  /** What a List says of its items. */
  readonly more: Fields;
}

function judgeObject(node: YAMLMap, { document, place, more }: ObjectContext): ObjectOrProblem {
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
      right:
        typeof name === 'boolean' || typeof name === 'number'
          ? 'the name in "quotes": kubectl takes it for no text'
          : 'metadata: { name: web }',
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

/** The group of an object's API, which names it together with kind, namespace and name; empty: the core group. */
export const groupOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';

/** The fields of a mapping; of anything else none. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const offsetOf = (node: Node | null): number => node?.range?.[0] ?? 0;

/** Roles and their bindings may have colons. */
const objectNamePattern = /^[a-z0-9](?:[a-z0-9.:-]{0,251}[a-z0-9])?$/;
const labelPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
