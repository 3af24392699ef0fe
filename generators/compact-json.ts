/** What does not fit into a line of a screen that shows differences is spread over several. */
const width = 200;

/** JSON that people and `git diff` read: an entry, like a file or a parameter, stands on one line whatever its length. */
export function compactJson(value: unknown, indent = ''): string {
  const line = onOneLine(value);
  if (indent.length + line.length <= width || !isNested(value)) return line;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((each: unknown) => compactJson(each, inner))
    : entriesOf(value).map(([key, each]) => `${JSON.stringify(key)}: ${compactJson(each, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** True for what holds entries itself. */
const isNested = (value: unknown): value is object =>
  isObject(value) &&
  Object.values(value).some((each: unknown) => (Array.isArray(each) ? each : [each]).some(isObject));

function onOneLine(value: unknown): string {
  if (!isObject(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  const parts = entriesOf(value).map(([key, each]) => `${JSON.stringify(key)}: ${onOneLine(each)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

const entriesOf = (value: object): readonly (readonly [string, unknown])[] =>
  Object.entries(value).filter(([, each]) => each !== undefined);
