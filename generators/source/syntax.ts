import type { ErrorCode } from 'yaml';

/** Our own words for the YAML reader's problems: its words quote the text, which may be a secret. */
export const explainSyntax = (code: ErrorCode): { wrong: string; right: string } =>
  explanations[code] ?? {
    wrong: `this is not YAML (${code.toLowerCase().replaceAll('_', ' ')})`,
    right: 'KEY: VALUE, or `- ` before an item of a list, indented by spaces',
  };

const explanations: Partial<Record<ErrorCode, { wrong: string; right: string }>> = {
  BAD_ALIAS: { wrong: 'a word that begins with * or & is a reference in YAML', right: 'the text in quotes' },
  BAD_DQ_ESCAPE: {
    wrong: 'this escape is not known between double quotes',
    right: "the text in 'single quotes', where a backslash is a backslash",
  },
  BAD_INDENT: {
    wrong: 'this line is indented differently from what it belongs to',
    right: 'the same number of spaces as the lines beside it',
  },
  BAD_SCALAR_START: {
    wrong: 'an unquoted text cannot begin with this character',
    right: 'the text in quotes',
  },
  BLOCK_AS_IMPLICIT_KEY: {
    wrong: 'a second `: ` in one value, or a line that is indented too far',
    right: 'the value in quotes, or the same number of spaces as the lines beside it',
  },
  MISSING_CHAR: {
    wrong: 'a character is missing here, like a closing quote or bracket, or the `:` after a key',
    right: 'the missing character',
  },
  MULTILINE_IMPLICIT_KEY: { wrong: 'a key must be on one line, with `:` after it', right: 'KEY: VALUE' },
  TAB_AS_INDENT: { wrong: 'a tab indents this line, which YAML does not allow', right: 'spaces' },
  UNEXPECTED_TOKEN: {
    wrong: 'this cannot stand here',
    right: 'KEY: VALUE, or the value in quotes if this belongs to it',
  },
};
