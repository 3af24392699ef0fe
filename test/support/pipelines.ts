import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { root } from './documents.ts';

/** One step of the GitHub action, as GitHub would run it. */
export interface ActionStep {
  readonly name: string;
  readonly id?: string;
  readonly if?: string;
  readonly shell: string;
  readonly 'working-directory'?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run: string;
}

export interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly ActionStep[] };
}

export const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action;

/** The steps of the action that are run with some inputs, with every expression replaced by what it says. */
export function stepsWith(given: Readonly<Record<string, string>>): readonly ActionStep[] {
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([name, input]) => [name, given[name] ?? input.default ?? '']),
  );
  return action.runs.steps
    .filter((step) => isMet(step.if, inputs))
    .map((step) => ({
      ...step,
      'working-directory': filled(step['working-directory'] ?? '.', inputs),
      env: Object.fromEntries(
        Object.entries(step.env ?? {}).map(([key, text]) => [key, filled(text, inputs)]),
      ),
    }));
}

/** `inputs.x == 'y'`, `inputs.x != ''`, and `always()` before either; anything else is not known here. */
function isMet(condition: string | undefined, inputs: Readonly<Record<string, string>>): boolean {
  if (condition === undefined) return true;
  const found = /^(?:always\(\) && )?inputs\.([a-z-]+) ([!=]=) '([^']*)'$/.exec(condition);
  if (found === null) throw new Error(`a condition that the test cannot judge: ${condition}`);
  const [, name = '', sign, wanted] = found;
  return (valueOf(name, inputs) === wanted) === (sign === '==');
}

const filled = (text: string, inputs: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\$\{\{ (\S+) \}\}/g, (_, expression: string) => {
    if (expression === 'github.token') return 'token-of-the-job';
    return valueOf(expression.replace(/^inputs\./, ''), inputs);
  });

function valueOf(name: string, inputs: Readonly<Record<string, string>>): string {
  const value = inputs[name];
  if (value === undefined) throw new Error(`there is no input ${name}`);
  return value;
}

/** One job of the file for GitLab, with what it extends. */
export interface GitLabJob {
  readonly stage: string;
  readonly image: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly before_script: readonly string[];
  readonly script: readonly string[];
  readonly rules: readonly object[];
  readonly artifacts?: object;
  readonly environment?: object;
  readonly needs?: readonly string[];
  readonly resource_group?: string;
}

type Keys = Readonly<Record<string, unknown>>;

export interface GitLabInput {
  readonly description: string;
  readonly default: string;
  readonly options?: readonly string[];
}

const gitLabText = readFileSync(join(root, 'pipelines/gitlab.yml'), 'utf8');

export const gitLabInputs =
  (
    parseAllDocuments(gitLabText)[0]?.toJS() as
      | { readonly spec: { readonly inputs: Readonly<Record<string, GitLabInput>> } }
      | undefined
  )?.spec.inputs ?? {};

/** The jobs with some inputs, put into the text as GitLab does. */
export function jobsWith(given: Readonly<Record<string, string>> = {}): Readonly<Record<string, GitLabJob>> {
  const text = gitLabText.replaceAll(/\$\[\[ inputs\.(\w+) \]\]/g, (_, name: string) => {
    const input = gitLabInputs[name];
    if (input === undefined) throw new Error(`there is no input ${name}`);
    return given[name] ?? input.default;
  });
  const all = parseAllDocuments(text)[1]?.toJS() as Readonly<Record<string, Keys>>;
  return Object.fromEntries(
    Object.keys(all)
      .filter((name) => !name.startsWith('.'))
      .map((name) => [name, extended(all, name) as unknown as GitLabJob]),
  );
}

/** Maps are merged, everything else is replaced, as GitLab does it. */
function extended(all: Readonly<Record<string, Keys>>, name: string): Keys {
  const { extends: base, ...own } = all[name] ?? {};
  if (typeof base !== 'string') return own;
  const below = extended(all, base);
  const variables = {
    ...(below['variables'] as Keys | undefined),
    ...(own['variables'] as Keys | undefined),
  };
  return { ...below, ...own, variables };
}
