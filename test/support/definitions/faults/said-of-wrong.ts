import type { Files } from '../../../../generators/definition/files.ts';
import { kindOf } from '../../../../generators/definition/kinds.ts';
import { readWithWarnings } from '../../../../generators/definition/reader.ts';
import { toData } from '../../../../generators/source/data.ts';
import type { Problem } from '../../../../generators/source/problem.ts';
import { parse } from '../../../../generators/source/tree.ts';
import type { Wrong } from './wrong-values.ts';

/** What is said of a wrong definition and should not be: elsewhere, or without a remedy; or nothing where something should. */
export function misleading(wrong: Wrong, files: Files): readonly string[] {
  const read = readWithWarnings(wrong.text, 'cluster.yml', files);
  const said = read.ok ? read.value.warnings : read.failure;
  const errors = said.filter(({ severity }) => severity === 'error');
  const invalid = !fitsSchema(wrong.text);
  const astray = invalid ? elsewhere(wrong, errors) : [];
  return [
    ...(invalid && errors.length === 0 ? [`${wrong.title}: nothing is said`] : []),
    ...astray.map((each) => `${wrong.title}: ${shown(each)}`),
    ...said
      .filter(({ remedy }) => remedy.trim() === '')
      .map((each) => `${wrong.title}: without a remedy: ${shown(each)}`),
  ];
}

function elsewhere({ text, place }: Wrong, errors: readonly Problem[]): readonly Problem[] {
  if (place === undefined) return errors.slice(1);
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return errors.filter(({ line, column }) => {
    const offset = (starts[line - 1] ?? 0) + column - 1;
    return offset < place[0] || offset >= place[1];
  });
}

/** Whether each value is sound by itself; what does not fit together is another fault, and said where it is. */
function fitsSchema(text: string): boolean {
  const source = parse(text, '');
  if (!source.ok) return false;
  const { data, findings } = toData(source.value.root);
  return findings.length === 0 && kindOf(data)?.schema.safeParse(data).success === true;
}

const shown = ({ line, path, message, remedy }: Problem): string => `${line} ${path}: ${message} → ${remedy}`;
