import type { Task } from './task.ts';
import { UsageError } from './usage.ts';

/** Values as yargs read them. */
export type ReadValues = Readonly<Record<string, unknown>>;

/** Refuses what yargs lets pass, or reads as something that nobody meant. `words` are those that were typed. */
export function judge(task: Task, values: ReadValues, words: readonly string[]): void {
  const { name, positionals } = task;
  const fault =
    twiceGiven(task, values, words) ??
    denial(task, words) ??
    noTruthValue(task, words) ??
    noNumber(task, values) ??
    withoutValue(task, values, words) ??
    besideItsWord(task, values, words) ??
    emptyWord(words, `${name} takes ${positionals || 'no words'}`);
  if (fault !== undefined) throw new UsageError(fault, `npx task ${name} --help`);
}

export const isPositional = (positionals: string, name: string): boolean =>
  positionals.split(/[^\w-]+/).includes(name);

const common: Task['options'] = {
  ...{ json: { type: 'boolean' }, quiet: { type: 'boolean' } },
  ...{ help: { type: 'boolean', alias: 'h' }, version: { type: 'boolean' } },
};

const allOptions = ({ options }: Task): Task['options'] => ({ ...common, ...options });

/** Of an option that is given twice yargs makes a list; but of a second 1, in `--count 1 --count 1`, a sum. */
function twiceGiven(task: Task, values: ReadValues, words: readonly string[]): string | undefined {
  const isRepeated = (option: Task['options'][string]): boolean =>
    option.type === 'number' &&
    words.filter((word) => {
      const [, name = ''] = /^--?([^=-][^=]*)/.exec(word) ?? [];
      return name !== '' && optionNamed(task, name) === option;
    }).length > 1;
  const twice = Object.entries(allOptions(task)).find(
    ([key, option]) => option.array !== true && (Array.isArray(values[key]) || isRepeated(option)),
  );
  return twice && `--${twice[0]} is given more than once`;
}

/** `--no-limit` would be the limit "false". */
function denial(task: Task, words: readonly string[]): string | undefined {
  const word = words.find((each) => {
    const name = /^--no-([^=]+)/.exec(each)?.[1];
    const option = name === undefined ? undefined : optionNamed(task, name);
    return option !== undefined && option.type !== 'boolean';
  });
  return word && `${task.name} has no option ${word.replace(/=.*/s, '')}`;
}

/** Everything else than `true` would be no: `run --check=yes` would change hosts. */
function noTruthValue(task: Task, words: readonly string[]): string | undefined {
  for (const word of words) {
    const [, name = '', value = ''] = /^--?([^=-][^=]*)=(.*)$/s.exec(word) ?? [];
    if (name === '' || optionNamed(task, name)?.type !== 'boolean') continue;
    if (value !== 'true' && value !== 'false')
      return `${word.replace(/=.*/s, '')} is true or false, not ${JSON.stringify(value)}`;
  }
  return undefined;
}

function noNumber(task: Task, values: ReadValues): string | undefined {
  const found = Object.entries(task.options).find(
    ([key, { type }]) => type === 'number' && [values[key]].flat().some(Number.isNaN),
  );
  return found && `--${found[0]} has to be a number`;
}

function withoutValue(
  { options, positionals }: Task,
  values: ReadValues,
  words: readonly string[],
): string | undefined {
  const empty = Object.entries(options).find(
    ([key, option]) =>
      !isPositional(positionals, key) &&
      isBlank(values[key]) &&
      (option.default !== '' || words.includes(`--${key}`) || words.includes(`--${key}=`)),
  );
  return empty && `--${empty[0]} needs a value`;
}

/** Nothing, or nothing between commas: `--limit "$HOSTS"` without HOSTS would be every host. */
const isBlank = (value: unknown): boolean =>
  [value].flat().some((each) => typeof each === 'string' && /^[\s,]*$/.test(each));

/** `run "$PHASE"` without PHASE would be `run`, and `patch "$A,$B"` without both would be `patch`, which is everything. */
function emptyWord(words: readonly string[], wanted: string): string | undefined {
  const word = words.find(isBlank);
  if (word === undefined) return undefined;
  return word === ''
    ? `an empty word stands where ${wanted}`
    : `${JSON.stringify(word)} names nothing where ${wanted}`;
}

/** Where a word of the task stands as an option too, yargs forgets the option. */
function besideItsWord(
  { name, options, positionals }: Task,
  values: ReadValues,
  words: readonly string[],
): string | undefined {
  for (const key of Object.keys(options).filter((each) => isPositional(positionals, each))) {
    const at = words.findIndex((word) => word === `--${key}` || word.startsWith(`--${key}=`));
    const word = words[at] ?? '';
    const given = word.includes('=') ? word.slice(key.length + 3) : words[at + 1];
    if (
      at >= 0 &&
      ![values[key]]
        .flat()
        .map(String)
        .includes(given ?? '')
    )
      return `${name} takes ${positionals}, or --${key}, not both`;
  }
  return undefined;
}

/** The option of that name, as it is declared, by its alias, or in the other spelling that yargs knows. */
function optionNamed(task: Task, name: string): Task['options'][string] | undefined {
  const dashed = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return Object.entries(allOptions(task)).find(
    ([key, { alias }]) => key === dashed || [alias ?? []].flat().includes(name),
  )?.[1];
}
