import type { ImportedDefinition, RefusedImport } from '../../../generators/import/conclude.ts';
import type { Result } from '../../../generators/result.ts';
import type { ForeignNode, Text } from '../../../generators/source/foreign/node.ts';
import { readJson } from '../../../generators/source/foreign/json.ts';
import { readYamlNode } from '../../../generators/source/foreign/yaml.ts';
import { wishing } from './imports.ts';

/** A value of a file, and the file with another value in its place. */
interface Mutation extends Span {
  readonly title: string;
  readonly file: string;
  readonly texts: readonly Text[];
}

const other = (text: string): string => {
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true' ? 'false' : 'true';
  if (/^-?\d+$/.test(text)) return String(Number(text) + 1);
  return text === ''
    ? 'changed-1'
    : /^(?:\d+\.){3}\d+$/.test(text)
      ? text.replace(/\d+$/, '199')
      : `${text}-changed`;
};

/** Each value of YAML and JSON, and each value behind `=` in INI. */
function mutationsOf(texts: readonly Text[]): readonly Mutation[] {
  return texts.flatMap(({ file, text }) => {
    const spans = /\.(?:ya?ml|json)$/.test(file) ? nodeSpans({ file, text }) : iniSpans(text);
    return spans.map((span) => ({
      ...span,
      title: `${file}:${span.line} ${span.value}`,
      file,
      texts: texts.map((each) =>
        each.file === file
          ? { file, text: text.slice(0, span.at) + other(span.value) + text.slice(span.at + span.length) }
          : each,
      ),
    }));
  });
}

interface Span {
  readonly at: number;
  readonly length: number;
  readonly line: number;
  /** From 1. */
  readonly column: number;
  readonly value: string;
}

/** Values and members, but for names of sections, and of the comments nothing. */
function iniSpans(text: string): readonly Span[] {
  const lines = [...text.matchAll(/[^\r\n]+/g)].filter(({ 0: line }) => !/^\s*[#;[]/.test(line));
  return lines.flatMap(({ 0: line, index: start }) =>
    [
      ...line.replace(/\s#.*$/, '').matchAll(/(?<==\s*["']?)(?![\s"']|canary)[^\s=#"'{[]+(?=["']?(?:\s|$))/g),
    ].map(({ 0: value, index }) => ({
      ...{ at: start + index, length: value.length, value, column: index + 1 },
      line: text.slice(0, start).split('\n').length,
    })),
  );
}

function nodeSpans(source: Text): readonly Span[] {
  const read = source.file.endsWith('.json') ? readJson(source) : readYamlNode(source);
  if (!read.ok) throw new Error(`${source.file} is a fixture that can be read`);
  const starts = [0, ...[...source.text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const scalars = (node: ForeignNode): readonly ForeignNode[] =>
    node.kind === 'scalar'
      ? [node]
      : (node.kind === 'map' ? node.entries.map(({ value }) => value) : node.items).flatMap(scalars);
  const spans = scalars(read.value).flatMap((node): Span[] => {
    const { line, column, length } = node.place;
    const at = (starts[line - 1] ?? 0) + column - 1;
    const raw = source.text.slice(at, at + length);
    if (node.kind !== 'scalar' || raw === '' || isNothing.test(raw)) return [];
    if (/^[|>]/.test(raw)) return blockSpan(source.text, at, line);
    const quote = /^["']/.exec(raw) ? 1 : 0;
    const value = raw.slice(quote, length - quote);
    return [{ at: at + quote, length: length - 2 * quote, line, column: column + quote, value }];
  });
  // What has an anchor is met at each of its aliases.
  return [...new Map(spans.map((span) => [span.at, span])).values()];
}

/** The first line of a text of several lines. */
function blockSpan(text: string, at: number, line: number): Span[] {
  const found = /^[^\n]*\n(\s*)(\S[^\n]*)/.exec(text.slice(at));
  if (found === null || isNothing.test(found[2] ?? '')) return [];
  const [whole, , value = ''] = found;
  return [{ at: at + whole.length - value.length, length: value.length, line, column: 1, value }];
}

/** Nothing at all, and passwords, which are asked for by name. */
const isNothing = /^(?:null|~|,|[[{&*#].*)$|canary/;

export type Importer = (
  texts: readonly Text[],
  setting: ReturnType<typeof wishing>,
) => Result<ImportedDefinition, RefusedImport>;

/** All that a person gets: the definition with its comments, what is told, or why there is none. */
const outcome = (result: Result<ImportedDefinition, RefusedImport>): string =>
  result.ok
    ? JSON.stringify([
        result.value.text,
        result.value.warnings,
        result.value.assumptions,
        result.value.secrets,
      ])
    : JSON.stringify(result.failure.problems);

/** Values that could be anything else without anybody hearing of it: they are neither listed, nor does anything change with them. */
export function dropped(importer: Importer, texts: readonly Text[]): readonly string[] {
  const setting = wishing({ fix: true, user: 'ops' });
  const before = importer(texts, setting);
  if (!before.ok) throw new Error(JSON.stringify(before.failure.problems));
  const { leftOver } = before.value;
  const isListed = (mutation: Mutation): boolean =>
    leftOver.some(
      ({ file, line, column, length }) =>
        file === mutation.file &&
        line === mutation.line &&
        column <= mutation.column &&
        mutation.column <= column + length,
    );
  const same = outcome(before);
  return mutationsOf(texts)
    .filter((mutation) => !isListed(mutation))
    .filter(({ texts: changed }) => outcome(importer(changed, setting)) === same)
    .map(({ title }) => title);
}
