import {
  Composer,
  LineCounter,
  Parser,
  type Document,
  type ParsedNode,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import { failed, ok, type Result } from '../result.ts';
import type { Problem, Problems } from './problem.ts';
import { lexicalProblem } from './limits.ts';
import { explainSyntax } from './syntax.ts';

/** The text of a definition and its syntax tree. */
export interface Source {
  readonly file: string;
  readonly text: string;
  readonly lines: LineCounter;
  readonly root: ParsedNode;
}

export type Mapping = YAMLMap<ParsedNode, ParsedNode | null> & { range: [number, number, number] };

/** Reads YAML 1.2 into a tree whose scalars are all texts still; syntax problems all at once. */
export function parse(text: string, file: string): Result<Source, Problems> {
  const lines = new LineCounter();
  const place = { file, text, lines };
  const lexical = lexicalProblem(text);
  if (lexical) {
    lines.addNewLine(0);
    for (const line of text.matchAll(/\n/g)) lines.addNewLine(line.index + 1);
    return failed([at(place, lexical.offset, lexical)]);
  }
  const documents = compose(text, lines);
  const errors = documents.flatMap((document) => document.errors);
  if (errors.length > 0)
    return failed(firstOfEachLine(causes(errors).map((error) => syntaxProblem(place, error))));
  return single(place, documents);
}

type TextSource = Pick<Source, 'file' | 'text' | 'lines'>;

const compose = (text: string, lines: LineCounter): Document.Parsed[] => {
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, merge: false });
  return [...composer.compose(new Parser(lines.addNewLine).parse(text), true, text.length)];
};

function single(place: TextSource, documents: readonly Document.Parsed[]): Result<Source, Problems> {
  const [first, second] = documents;
  if (second)
    return failed([
      at(place, second.range[0], {
        wrong: 'a second document begins here; one file holds one cluster',
        right: 'a file of its own for the second one',
      }),
    ]);
  if (first?.directives.yaml.explicit === true || Object.keys(first?.directives.tags ?? {}).length > 1)
    return failed([
      at(place, 0, {
        wrong: 'YAML directives (lines that begin with %) are not allowed here',
        right: 'the file without it',
      }),
    ]);
  if (!first?.contents)
    return failed([
      at(place, 0, { wrong: 'the file is empty', right: 'a definition; `npx task init` makes one' }),
    ]);
  return ok({ ...place, root: first.contents });
}

/** Where a tab indents a line, what the reader says below it only follows from that. */
function causes(errors: readonly YAMLError[]): readonly YAMLError[] {
  const tabs = errors.filter(({ code }) => code === 'TAB_AS_INDENT').map(({ pos: [at] }) => at);
  const first = Math.min(...tabs);
  return errors
    .filter(({ code, pos: [at] }) => code === 'TAB_AS_INDENT' || at < first)
    .toSorted((a, b) => a.pos[0] - b.pos[0]);
}

/** The others of a line only follow from it. */
const firstOfEachLine = (problems: Problems): Problems =>
  [...new Map(problems.toReversed().map((problem) => [problem.line, problem])).values()].reverse();

const syntaxProblem = (place: TextSource, error: YAMLError): Problem =>
  at(place, error.pos[0], explainSyntax(error.code));

function at(
  { file, lines }: TextSource,
  offset: number,
  { wrong, right }: { wrong: string; right: string },
): Problem {
  const { line, col } = lines.linePos(offset);
  return {
    severity: 'error',
    file,
    line: Math.max(line, 1),
    column: Math.max(col, 1),
    length: 1,
    path: '',
    message: wrong,
    remedy: right,
  };
}
