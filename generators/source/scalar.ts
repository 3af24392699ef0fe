/** What a plain scalar says: `trap` is set when YAML 1.1, which PyYAML and many tools read, says something else. */
export interface Plain {
  readonly value: string | number | boolean | null;
  readonly trap?: { readonly means: string; readonly right: string };
}

/** Reads an unquoted scalar as YAML 1.2 does, and notices where YAML 1.1 differs. */
export function readPlain(source: string): Plain {
  const value = asVersion12(source);
  const older = asVersion11(source, value);
  if (!Object.is(older, value) && !(older === 0 && value === 0))
    return { value, trap: trap(source, older, value) };
  const lost = typeof value === 'number' ? lostDigits(source, value) : undefined;
  return { value, ...(lost && { trap: lost }) };
}

/** `1.10` is 1.1 and `1.0` is 1 when it is written again; a large number is rounded. */
function lostDigits(source: string, value: number): Plain['trap'] {
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    return {
      means: `\`${source}\` is too large for a number here: it would become ${value}`,
      right: `"${source}" in quotes`,
    };
  return /^[-+]?\d*\.\d*$/.test(source) && /[.0]$/.test(source)
    ? {
        means: `\`${source}\` is read as the number ${value}`,
        right: `"${source}" in quotes if a string is meant, ${value} if the number is`,
      }
    : undefined;
}

/** What PyYAML reads in an unquoted scalar, in the words of YAML 1.2: `no` is `false`, `0644` is `420`, `1e3` a text. */
export function fromVersion11(source: string): { readonly text: string; readonly isText: boolean } {
  const value = asVersion12(source);
  const older = asVersion11(source, value);
  if (Object.is(older, value)) return { text: source, isText: false };
  return typeof older === 'number' || typeof older === 'boolean'
    ? { text: String(older), isText: false }
    : { text: source, isText: true };
}

type Scalar = Plain['value'] | OtherReading;

/** What YAML 1.1 makes of a scalar that YAML 1.2 has no word for. */
interface OtherReading {
  readonly other: string;
}

function asVersion12(source: string): Plain['value'] {
  if (/^(?:~|null|Null|NULL)?$/.test(source)) return null;
  if (/^(?:true|True|TRUE|false|False|FALSE)$/.test(source)) return source.toLowerCase() === 'true';
  if (/^[-+]?\d+$/.test(source) || /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/.test(source))
    return Number(source);
  if (/^0o[0-7]+$/.test(source) || /^0x[0-9a-fA-F]+$/.test(source)) return Number(source);
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(source)) return source.startsWith('-') ? -Infinity : Infinity;
  return /^\.(?:nan|NaN|NAN)$/.test(source) ? NaN : source;
}

/** PyYAML's resolver. `same` answers for what both read alike. */
function asVersion11(source: string, same: Plain['value']): Scalar {
  if (/^(?:yes|Yes|YES|on|On|ON)$/.test(source)) return true;
  if (/^(?:no|No|NO|off|Off|OFF)$/.test(source)) return false;
  if (/^(?:<<|=)$/.test(source)) return { other: 'a special key' };
  if (timestamp.test(source)) return { other: 'a date' };
  return numberOf11(source) ?? (typeof same === 'number' ? source : same);
}

function numberOf11(source: string): number | undefined {
  const bare = source.replaceAll('_', '');
  if (/^[-+]?0b[01_]+$/.test(source)) return readSigned(bare, (digits) => parseInt(digits.slice(2), 2));
  if (/^[-+]?0x[0-9a-fA-F_]+$/.test(source)) return readSigned(bare, (digits) => parseInt(digits, 16));
  if (/^[-+]?0[0-7_]+$/.test(source)) return readSigned(bare, (digits) => parseInt(digits, 8));
  if (/^[-+]?(?:0|[1-9][\d_]*)$/.test(source)) return Number(bare);
  if (/^[-+]?[1-9][\d_]*(?::[0-5]?\d)+$/.test(source) || /^[-+]?\d[\d_]*(?::[0-5]?\d)+\.[\d_]*$/.test(source))
    return readSigned(bare, sixties);
  if (
    /^[-+]?(?:\d[\d_]*)\.[\d_]*(?:[eE][-+]\d+)?$/.test(source) ||
    /^\.\d[\d_]*(?:[eE][-+]\d+)?$/.test(source)
  )
    return Number(bare);
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(source)) return source.startsWith('-') ? -Infinity : Infinity;
  return /^\.(?:nan|NaN|NAN)$/.test(source) ? NaN : undefined;
}

const sixties = (digits: string): number =>
  digits.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

const readSigned = (text: string, read: (digits: string) => number): number =>
  (text.startsWith('-') ? -1 : 1) * read(text.replace(/^[-+]/, ''));

const trap = (source: string, older: Scalar, value: Plain['value']): NonNullable<Plain['trap']> => ({
  means: `\`${source}\` is ${describeScalar(older)} in YAML 1.1 and ${describeScalar(value)} in YAML 1.2`,
  right: `"${source}" in quotes if a string is meant${
    typeof value === 'number' && Number.isFinite(value)
      ? `, ${value} if the number is`
      : typeof older === 'boolean'
        ? `, ${older} if the boolean is`
        : ''
  }`,
});

const describeScalar = (value: Scalar): string =>
  typeof value === 'object' && value !== null
    ? value.other
    : typeof value === 'string'
      ? 'a string'
      : typeof value === 'number'
        ? `the number ${value}`
        : String(value);

const timestamp =
  /^(?:\d{4}-\d{2}-\d{2}|\d{4}-\d{1,2}-\d{1,2}(?:[Tt]|[ \t]+)\d{1,2}:\d{2}:\d{2}(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d{1,2}(?::\d{2})?))?)$/;
