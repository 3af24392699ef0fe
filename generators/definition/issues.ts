import type * as z from 'zod';
import { about, isNeeded, keysAt, keyTree, type KeyNode } from './about.ts';
import { problemAt, keyProblemAt, type Finding, type Path } from '../source/finding.ts';
import { inline } from '../source/inline.ts';
import { kindNames } from './kind-names.ts';
import { nearest } from '../source/nearest.ts';
import { show } from './schema/judges.ts';
import { secretKeys } from '../source/secret-keys.ts';

type Issue = z.core.$ZodIssue;

/** What was read, and what is known of its keys. */
interface DataWithKeys {
  readonly data: unknown;
  readonly tree: KeyNode;
}

/** zod's issues in our words: what was found, what would be right. `tree`: the keys of the kind of definition. */
export function toFindings(issues: readonly Issue[], data: unknown, tree = keyTree()): Finding[] {
  const unknown = new Set(
    issues.flatMap(({ code, path }) => (code === 'unrecognized_keys' ? path.join() : [])),
  );
  const findings = issues
    .filter(({ code, path }) => code !== 'custom' || !unknown.has(path.join()))
    .flatMap((issue) => explain(issue, issue.path as Path, { data, tree }));
  const misspelt = new Set(findings.flatMap((each) => (each.meant ? [meantPath(each)] : [])));
  return findings.filter(({ path }) => valueAt(data, path) !== undefined || !misspelt.has(path.join()));
}

/** Where a key would stand if it were spelt as another one. */
const meantPath = ({ path, right }: Finding): string => [...path.slice(0, -1), right].join();

function explain(issue: Issue, path: Path, reading: DataWithKeys): Finding[] {
  switch (issue.code) {
    case 'custom':
      return [problemAt(path, issue.message, String(issue.params?.['right']))];
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(key, path, reading));
    case 'invalid_union':
      return bestBranch(issue.errors).flatMap((each) =>
        explain(each, [...path, ...(each.path as Path)], reading),
      );
    case 'invalid_value':
      return [wrongWord(path, wordsOf(path, issue.values), reading)];
    default:
      return [wrongType(path, 'expected' in issue ? issue.expected : issue.code, reading)];
  }
}

/** The alternative that the value was probably meant to be: one whose outermost form fits, or at least its type. */
const bestBranch = (branches: readonly (readonly Issue[])[]): readonly Issue[] =>
  branches.find((issues) => !isOutside(issues, ['invalid_type', 'invalid_value'])) ??
  branches.find((issues) => !isOutside(issues, ['invalid_type'])) ??
  branches[0] ??
  [];

const isOutside = (issues: readonly Issue[], codes: readonly string[]): boolean =>
  issues.some(({ code, path }) => path.length === 0 && codes.includes(code));

function unknownKey(key: string, path: Path, { tree }: DataWithKeys): Finding {
  const known = keysAt(path, tree);
  const near = nearest(key, known);
  return {
    ...keyProblemAt(
      [...path, key],
      `unknown key ${show(key)}; known here: ${known.join(', ')}`,
      near ?? 'one of those, or none',
    ),
    meant: near === undefined ? known : [near],
  };
}

/** Any kind of definition would be right, not only the one that it is read as. */
const wordsOf = (path: Path, values: readonly unknown[]): readonly string[] =>
  path.join() === 'kind' ? kindNames : values.map(String);

function wrongWord(path: Path, words: readonly string[], reading: DataWithKeys): Finding {
  const value = valueAt(reading.data, path);
  if (value === undefined) return missing(path, reading);
  if (value === null) return noValue(path, reading);
  if (typeof value === 'number' && words.includes(String(value)))
    return problemAt(path, `${nameOf(path)} is a string that looks like a number`, `"${value}", in quotes`);
  const meant = typeof value === 'string' ? nearest(value, words) : undefined;
  return problemAt(
    path,
    `${nameOf(path)} cannot be ${display(value)}`,
    meant ?? (path.join() === 'kind' ? words.join(' or ') : wordsAt(path, reading) || words.join(' or ')),
  );
}

/** What else is possible at a place that takes a word or a mapping. */
const wordsAt = (path: Path, { tree }: DataWithKeys): string =>
  (about(path, tree)?.examples ?? []).map(inline).join(' or ');

function wrongType(path: Path, expected: string, reading: DataWithKeys): Finding {
  const value = valueAt(reading.data, path);
  if (value === undefined) return missing(path, reading);
  if (secretKeys.has(String(path.at(-1))) && (typeof value !== 'object' || value === null))
    return plainSecret(path, reading);
  const right = example(path, reading) ?? typeNames[expected] ?? expected;
  if (value === null) return noValue(path, reading);
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  const quoted = expected === 'string' && isScalar && !isSecretPlace(path);
  return problemAt(
    path,
    `${nameOf(path)} must be ${typeNames[expected] ?? expected}, not ${isSecretPlace(path) ? 'this' : display(value)}`,
    quoted
      ? (about(path, reading.tree)?.instead ??
          `the same in "quotes", if it is meant as a string, like ${right}`)
      : isInQuotes(value, expected)
        ? `${value}, without quotes`
        : right,
  );
}

/** A number or a boolean that was written as a text. */
const isInQuotes = (value: unknown, expected: string): value is string =>
  typeof value === 'string' &&
  ((['number', 'int'].includes(expected) && /^(?:0|[1-9]\d*)$/.test(value)) ||
    (expected === 'boolean' && /^(?:true|false)$/.test(value)));

const missing = (path: Path, reading: DataWithKeys): Finding => {
  const key = String(path.at(-1) ?? '');
  const place = path.length === 1 ? 'the definition' : nameOf(path.slice(0, -1));
  return problemAt(path, `\`${key}\` is missing in ${place}`, `${key}: ${example(path, reading) ?? '…'}`);
};

const noValue = (path: Path, reading: DataWithKeys): Finding =>
  problemAt(
    path,
    `${nameOf(path)} has no value`,
    `${example(path, reading) ?? 'a value'}${isNeeded(path, reading.tree) ? '' : '; or nothing at all'}`,
  );

const plainSecret = (path: Path, reading: DataWithKeys): Finding =>
  problemAt(
    path,
    `${nameOf(path)} is a secret, which is never written in a definition`,
    `${example(path, reading) ?? '{ env: NAME }'}, or another place where it is kept: file, command or vault`,
  );

const isSecretPlace = (path: Path): boolean => path.some((step) => secretKeys.has(String(step)));

/** `ssh` or, of a list, `nodes[2]`. */
const nameOf = (path: Path): string => {
  const last = path.at(-1);
  if (last === undefined) return 'the definition';
  return typeof last === 'number' ? `\`${String(path.at(-2))}[${last}]\`` : `\`${last}\``;
};

const display = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a mapping';
  return typeof value === 'string'
    ? show(value)
    : `the ${typeof value === 'number' ? 'number' : 'value'} ${String(value)}`;
};

const example = (path: Path, { tree }: DataWithKeys): string | undefined => {
  const known = about(path, tree);
  const first = known?.examples?.[0] ?? known?.default;
  return first === undefined ? undefined : inline(first) || '""';
};

const valueAt = (data: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (node, step) =>
      typeof node === 'object' && node !== null && Object.hasOwn(node, step)
        ? (node as Record<string | number, unknown>)[step]
        : undefined,
    data,
  );

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  object: 'a mapping (KEY: VALUE)',
  array: 'a list',
  boolean: 'true or false',
};
