import { failed, ok, type Result } from '../result.ts';
import { filesOf, noFiles, type Files } from './files.ts';
import { check } from './checks.ts';
import type { Faults } from './fault.ts';
import type { Finding } from './finding.ts';
import { toFindings } from './issues.ts';
import { prune } from './prune.ts';
import { schema, type Definition, type Draft } from './schema.ts';
import { toData } from './source/data.ts';
import { locate } from './source/locate.ts';
import { parse, type Source } from './source/tree.ts';

export interface Read {
  readonly definition: Definition;
  readonly warnings: Faults;
}

/** Reads a definition: every fault at once, or a definition that is sound in each value and as a whole. */
export function read(text: string, file: string): Result<Definition, Faults> {
  const result = readWithWarnings(text, file);
  return result.ok ? ok(result.value.definition) : result;
}

export function readWithWarnings(text: string, file: string, files: Files = noFiles): Result<Read, Faults> {
  const source = parse(text, file);
  return source.ok ? judge(source.value, files) : source;
}

/** The paths of the files that a definition wants to be read with it, whatever else is wrong in it. */
export function filesNamed(text: string): readonly string[] {
  const source = parse(text, '');
  return source.ok ? filesOf(draftOf(source.value).draft) : [];
}

function draftOf(source: Source): { parsed: Parsed; structural: readonly Finding[]; draft: Draft } {
  const { data, findings } = toData(source.root);
  const parsed = schema.safeParse(data);
  const structural = [
    ...findings,
    ...(parsed.success ? [] : besides(findings, toFindings(parsed.error.issues, data))),
  ];
  return { parsed, structural, draft: prune(data, structural) as Draft };
}

type Parsed = ReturnType<typeof schema.safeParse>;

function judge(source: Source, files: Files): Result<Read, Faults> {
  const { parsed, structural, draft } = draftOf(source);
  const all = [...structural, ...check(draft, files)];
  const errors = all.filter(({ severity }) => severity === 'error');
  if (errors.length > 0 || !parsed.success) return failed(inOrder(source, errors));
  return ok({ definition: parsed.data, warnings: inOrder(source, all) });
}

/** What was said about a place already is not said again in other words. */
const besides = (first: readonly Finding[], second: readonly Finding[]): Finding[] => {
  const taken = new Set(first.map(placeOf));
  return second.filter((finding) => !taken.has(placeOf(finding)));
};

const placeOf = ({ path, at }: Finding): string => JSON.stringify([path, at]);

const inOrder = (source: Source, findings: readonly Finding[]): Faults =>
  findings.map((finding) => locate(source, finding)).sort((a, b) => a.line - b.line || a.column - b.column);
