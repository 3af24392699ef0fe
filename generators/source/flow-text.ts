import { readPlain } from './scalar.ts';

/** A value as one line of YAML that reads back the same everywhere: quoted where YAML 1.1 or 1.2 needs it. */
export const flowText = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(flowText).join(', ')}]`;
  if (typeof value === 'object' && value !== null) return `{ ${pairs(value).join(', ')} }`;
  return typeof value === 'string' ? scalarText(value) : String(value);
};

const pairs = (value: object): string[] =>
  Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([key, each]) => `${key}: ${flowText(each)}`);

const scalarText = (value: string): string => {
  const { value: read, trap } = readPlain(value);
  return plain.test(value) && read === value && !trap ? value : JSON.stringify(value);
};

/** No indicator at the start, no `: `, ` #` or bracket inside. */
const plain = /^[A-Za-z0-9~/.](?:[\w~/.@+=-]|:(?=[\w/])| (?=[\w/]))*$/;
