import { isMap } from '../shape.ts';

/** What a module gave back, as far as a report reads it. */
export interface TaskResult {
  readonly changed?: unknown;
  readonly failed?: unknown;
  readonly censored?: unknown;
  readonly msg?: unknown;
  readonly stdout?: unknown;
  readonly stderr?: unknown;
  readonly module_stdout?: unknown;
  readonly module_stderr?: unknown;
  readonly rc?: unknown;
  readonly cmd?: unknown;
  readonly results?: unknown;
  readonly _ansible_item_label?: unknown;
  readonly item?: unknown;
}

/** Why a task failed: the module's own words, or those of the items of its list, or what the program said. */
export function messageOf(result: TaskResult): string {
  if (result.censored !== undefined) return 'The task hides its output (no_log)';
  const items = failedItems(result);
  if (items.length > 0) return items.map((item) => `${labelOf(item)}: ${messageOf(item)}`).join('\n');
  const words = textOf(result.msg ?? '').trim();
  if (!untelling.has(words.split('\n')[0] ?? '')) return words;
  return [words, ...lines(saidBy(result)).slice(-10)].filter((line) => line !== '').join('\n');
}

/** The command, its exit status and all that it printed, of a task that failed; empty where nothing was. */
export function outputOf(result: TaskResult): string {
  if (result.censored !== undefined) return '';
  const items = failedItems(result);
  if (items.length > 0) return items.map(outputOf).filter(Boolean).join('\n\n');
  const command = Array.isArray(result.cmd) ? result.cmd.map(textOf).join(' ') : textOf(result.cmd ?? '');
  return [
    command === '' ? '' : `$ ${command}`,
    textOf(result.stdout ?? '').trimEnd(),
    textOf(result.stderr ?? '').trimEnd(),
    textOf(result.module_stdout ?? '').trimEnd(),
    textOf(result.module_stderr ?? '').trimEnd(),
    typeof result.rc === 'number' && command !== '' ? `exit status ${result.rc}` : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

const failedItems = ({ results }: TaskResult): readonly TaskResult[] =>
  (Array.isArray(results) ? results : [])
    .filter((item: unknown): item is TaskResult => isMap(item) && item['failed'] === true)
    .slice(0, 5);

const labelOf = ({ _ansible_item_label: label, item = '' }: TaskResult): string => textOf(label ?? item);

const saidBy = ({ stderr, module_stderr, stdout, module_stdout }: TaskResult): string =>
  [stderr, module_stderr, stdout, module_stdout]
    .map((text) => textOf(text ?? ''))
    .find((text) => text !== '') ?? '';

const lines = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .filter((line) => !/^Shared connection to .* closed\.\s*$/.test(line));

const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? value.map(textOf).join('\n')
      : JSON.stringify(value);

const untelling = new Set([
  '',
  'non-zero return code',
  'MODULE FAILURE',
  'All items completed',
  'One or more items failed',
]);
