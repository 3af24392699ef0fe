import { failed, ok, type Result } from '../result.ts';
import { noFiles, type Files } from './files.ts';
import type { Problems } from '../source/problem.ts';
import type { Finding } from '../source/finding.ts';
import { toFindings } from './issues.ts';
import { kindOf, kinds, type DefinitionKind, type Definitions, type KindName } from './kinds.ts';
import { prune } from './prune.ts';
import { toData } from '../source/data.ts';
import { locate } from '../source/locate.ts';
import { parse, type Source } from '../source/tree.ts';

/** A definition of one kind, and what is less than ideal in it. */
export type CheckedDefinition<Name extends KindName = KindName> = {
  readonly [Each in Name]: {
    readonly kind: Each;
    readonly definition: Definitions[Each];
    readonly warnings: Problems;
  };
}[Name];

/** Reads a definition: every fault at once, or a definition that is sound in each value and as a whole. */
export function readWithWarnings(
  text: string,
  file: string,
  files: Files = noFiles,
): Result<CheckedDefinition, Problems> {
  const draft = draftOfText(text);
  return draft === undefined
    ? failed(syntaxProblems(text, file))
    : judge(draft, { ...draft.source, file }, files);
}

/** The paths of the files that a definition wants to be read with it, whatever else is wrong in it. */
export function filesNamed(text: string): readonly string[] {
  const drafted = draftOfText(text);
  return drafted === undefined ? [] : drafted.kind.filesOf(drafted.draft);
}

/** Undefined where the text is no YAML. The last one is remembered: a text is first asked for its files, then judged with them. */
function draftOfText(text: string): DraftSource | undefined {
  if (last?.text === text) return last.drafted;
  const source = parse(text, '');
  const drafted = source.ok ? draftOf(source.value) : undefined;
  last = { text, drafted };
  return drafted;
}

let last: { readonly text: string; readonly drafted: DraftSource | undefined } | undefined;

function syntaxProblems(text: string, file: string): Problems {
  const source = parse(text, file);
  return source.ok ? [] : source.failure;
}

interface DraftSource {
  readonly source: Source;
  readonly kind: DefinitionKind;
  readonly parsed: SchemaResult;
  readonly structural: readonly Finding[];
  readonly draft: object;
}

function draftOf(source: Source): DraftSource {
  const { data, findings } = toData(source.root);
  const known = kindOf(data);
  const kind = known ?? kinds.Cluster;
  const parsed = kind.schema.safeParse(data);
  const found = parsed.success ? [] : besides(findings, toFindings(parsed.error.issues, data, kind.tree()));
  // Of a kind that is none, the rest cannot be judged.
  if (known === undefined)
    return {
      source,
      kind: stranger,
      parsed,
      structural: [...findings, ...found.filter(isAboutKind)],
      draft: {},
    };
  const structural = [...findings, ...found];
  return { source, kind, parsed, structural, draft: prune(data, structural) as object };
}

const stranger: DefinitionKind = { ...kinds.Cluster, check: () => [], filesOf: () => [] };

const isAboutKind = ({ path }: Finding): boolean => path.join() === 'kind';

type SchemaResult = ReturnType<DefinitionKind['schema']['safeParse']>;

function judge(drafted: DraftSource, source: Source, files: Files): Result<CheckedDefinition, Problems> {
  const { kind, parsed, structural, draft } = drafted;
  const all = [...structural, ...kind.check(draft, files)];
  const errors = all.filter(({ severity }) => severity === 'error');
  if (errors.length > 0 || !parsed.success) return failed(inOrder(source, errors));
  // The schema of the kind has judged it.
  return ok({
    kind: kind.name,
    definition: parsed.data,
    warnings: inOrder(source, all),
  } as CheckedDefinition);
}

/** What was said about a place already is not said again in other words. */
const besides = (first: readonly Finding[], second: readonly Finding[]): Finding[] => {
  const taken = new Set(first.map(placeOf));
  return second.filter((finding) => !taken.has(placeOf(finding)));
};

const placeOf = ({ path, at }: Finding): string => JSON.stringify([path, at]);

const inOrder = (source: Source, findings: readonly Finding[]): Problems =>
  findings.map((finding) => locate(source, finding)).sort((a, b) => a.line - b.line || a.column - b.column);
