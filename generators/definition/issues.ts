import type { z } from 'zod';
import { about, isNeeded, keysAt } from './about.ts';
import { fault, keyFault, type Finding, type Path } from './finding.ts';
import { inline } from './inline.ts';
import { nearest } from './nearest.ts';
import { shown } from './schema/judges.ts';
import { secretKeys } from './schema/secret.ts';

type Issue = z.core.$ZodIssue;

/** zod's issues in our words: what was found, what would be right. */
export function toFindings(issues: readonly Issue[], data: unknown): Finding[] {
  const unknown = new Set(
    issues.flatMap(({ code, path }) => (code === 'unrecognized_keys' ? path.join() : [])),
  );
  return issues
    .filter(({ code, path }) => code !== 'custom' || !unknown.has(path.join()))
    .flatMap((issue) => explain(issue, issue.path as Path, data));
}

function explain(issue: Issue, path: Path, data: unknown): Finding[] {
  switch (issue.code) {
    case 'custom':
      return [fault(path, issue.message, String(issue.params?.['right']))];
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(key, path));
    case 'invalid_union':
      return bestBranch(issue.errors).flatMap((each) =>
        explain(each, [...path, ...(each.path as Path)], data),
      );
    case 'invalid_value':
      return [wrongWord(path, valueAt(data, path), issue.values.map(String))];
    default:
      return [wrongType(path, valueAt(data, path), 'expected' in issue ? issue.expected : issue.code)];
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

function unknownKey(key: string, path: Path): Finding {
  const known = keysAt(path);
  return keyFault(
    [...path, key],
    `unknown key ${shown(key)}; known here: ${known.join(', ')}`,
    nearest(key, known) ?? 'one of those, or none',
  );
}

function wrongWord(path: Path, value: unknown, words: readonly string[]): Finding {
  if (value === undefined) return missing(path);
  if (value === null) return noValue(path);
  const meant = typeof value === 'string' ? nearest(value, words) : undefined;
  return fault(
    path,
    `${nameOf(path)} cannot be ${display(value)}`,
    meant ?? (wordsAt(path) || words.join(' or ')),
  );
}

/** What else is possible at a place that takes a word or a mapping. */
const wordsAt = (path: Path): string => (about(path)?.examples ?? []).map(inline).join(' or ');

function wrongType(path: Path, value: unknown, expected: string): Finding {
  if (value === undefined) return missing(path);
  if (secretKeys.has(String(path.at(-1))) && (typeof value !== 'object' || value === null))
    return plainSecret(path);
  const right = example(path) ?? typeNames[expected] ?? expected;
  if (value === null) return noValue(path);
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  const quoted = expected === 'string' && isScalar && !isSecretPlace(path);
  return fault(
    path,
    `${nameOf(path)} must be ${typeNames[expected] ?? expected}, not ${isSecretPlace(path) ? 'this' : display(value)}`,
    quoted
      ? (about(path)?.instead ?? `the same in "quotes", if it is meant as a text, like ${right}`)
      : right,
  );
}

const missing = (path: Path): Finding => {
  const key = String(path.at(-1) ?? '');
  const place = path.length === 1 ? 'the definition' : nameOf(path.slice(0, -1));
  return fault(path, `\`${key}\` is missing in ${place}`, `${key}: ${example(path) ?? '…'}`);
};

const noValue = (path: Path): Finding =>
  fault(
    path,
    `${nameOf(path)} has no value`,
    `${example(path) ?? 'a value'}${isNeeded(path) ? '' : '; or nothing at all'}`,
  );

const plainSecret = (path: Path): Finding =>
  fault(
    path,
    `${nameOf(path)} is a secret, which is never written in a definition`,
    `${example(path) ?? '{ env: NAME }'}, or another place where it is kept: file, command or vault`,
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
    ? shown(value)
    : `the ${typeof value === 'number' ? 'number' : 'value'} ${String(value)}`;
};

const example = (path: Path): string | undefined => {
  const known = about(path);
  const first = known?.examples?.[0] ?? known?.default;
  return first === undefined ? undefined : inline(first);
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
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  object: 'a mapping (KEY: VALUE)',
  array: 'a list',
  boolean: 'true or false',
};
