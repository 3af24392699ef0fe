/** What does not fit into a line of a screen that shows differences is spread over several. */
const width = 200;

/** JSON that people and `git diff` read: what fits into a line stands on one, like every file of a manifest. */
export function compactJson(value: unknown, indent = ''): string {
  const line = onOneLine(value);
  if (indent.length + line.length <= width || typeof value !== 'object' || value === null) return line;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((each: unknown) => compactJson(each, inner))
    : entriesOf(value).map(([key, each]) => `${JSON.stringify(key)}: ${compactJson(each, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  const parts = entriesOf(value).map(([key, each]) => `${JSON.stringify(key)}: ${onOneLine(each)}`);
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

const entriesOf = (value: object): readonly (readonly [string, unknown])[] =>
  Object.entries(value).filter(([, each]) => each !== undefined);
