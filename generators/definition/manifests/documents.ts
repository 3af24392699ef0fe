import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  visit,
  type Document,
  type Node,
  type YAMLMap,
  type YAMLWarning,
} from 'yaml';
import { failed, ok, type Result } from '../../result.ts';
import { lexicalProblem } from '../../source/limits.ts';
import { kubernetesTags, wholeNumber } from './kubernetes-tags.ts';
import type { PortProblem } from './service-ports.ts';

/** The documents of a manifest as kubectl reads them. */
export interface ManifestDocuments {
  readonly documents: readonly Document[];
  /** Like `manifests/web.yaml:12:9`. */
  readonly place: PlaceOfOffset;
}

export type PlaceOfOffset = (offset: number) => string;

/** Reads a manifest of one or more documents; the failure says what is wrong with the whole of it. */
export function readDocuments(text: string, file: string): Result<ManifestDocuments, PortProblem> {
  const lines = new LineCounter();
  const lexical = lexicalProblem(text);
  if (lexical) return failed({ place: `${file}:1:1`, wrong: lexical.wrong, right: lexical.right });
  const documents = parseAllDocuments(text, {
    lineCounter: lines,
    prettyErrors: false,
    merge: true,
    // Of other tags kubectl knows nothing, and takes what stands there.
    resolveKnownTags: false,
    customTags: (tags) => [...kubernetesTags, ...tags],
  });
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${Math.max(1, line)}:${Math.max(1, col)}`;
  };
  const all: readonly Document[] = Array.isArray(documents) ? documents : [];
  const [error] = all.flatMap(({ errors, warnings }) => [...errors, ...warnings.filter(isContradiction)]);
  // What the reader says may quote the text, which may be a secret.
  return error
    ? failed({ place: place(error.pos[0]), wrong: 'this is not YAML', right: 'what `kubectl apply` takes' })
    : ok({ documents: all, place });
}

/** A value that is not what its tag says, as in `!!int x`. */
const isContradiction = ({ code, message }: YAMLWarning): boolean =>
  code === 'TAG_RESOLVE_FAILED' && /: tag:yaml\.org,2002:(?:int|float|bool|null|binary)$/.test(message);

export interface ManifestItem {
  /** No mapping: it is no object. */
  readonly node: Node | null;
  /** What a List says of its items. */
  readonly more: Readonly<Record<string, unknown>>;
}

/** The object of a document, or those of a List. Items of a ConfigMapList are ConfigMaps, although they may not say so. */
export function itemsOf({ contents }: Document): readonly ManifestItem[] {
  // Nothing but comments between two lines of `---` is no object, and none is missing there.
  if (contents === null || (isScalar(contents) && contents.value === null)) return [];
  if (!isMap(contents)) return [{ node: contents, more: {} }];
  const kind = contents.get('kind');
  const items = contents.get('items', true);
  if (typeof kind !== 'string' || !kind.endsWith('List') || !isSeq(items))
    return [{ node: contents, more: {} }];
  const more = inheritedFields(contents, kind);
  return items.items.map((node) => ({ node: node as Node | null, more }));
}

const inheritedFields = (list: YAMLMap, kind: string): ManifestItem['more'] =>
  kind === 'List' ? {} : { apiVersion: list.get('apiVersion'), kind: kind.slice(0, -'List'.length) };

/** Numbers that would be other ones in JSON, which is what the API server gets. */
export function wrongNumbers(document: Document, place: PlaceOfOffset): readonly PortProblem[] {
  const found: PortProblem[] = [];
  visit(document, {
    Scalar(_, { value, range, source = '' }) {
      const here = place(range?.[0] ?? 0);
      if (typeof value !== 'number') return;
      if (!Number.isFinite(value))
        found.push({
          place: here,
          wrong: 'JSON has no such number',
          right: 'a finite number, or a string in "quotes"',
        });
      else if (Number.isInteger(value) && !Number.isSafeInteger(value) && wholeNumber.test(source))
        found.push({
          place: here,
          wrong: 'this number is larger than what is kept to its last digit',
          right: 'the same in "quotes", where it is an amount; or one up to 9007199254740991',
        });
    },
  });
  return found;
}
