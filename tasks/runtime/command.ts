/** What would be typed: words, never a line of shell, until {@link shellLine} writes it. */
export interface Command {
  readonly argv: readonly string[];
  /** Absolute path; the login folder when left out. */
  readonly cwd?: string;
}

/** The exact text that a POSIX shell turns into the command. */
export const shellLine = ({ argv, cwd }: Command): string =>
  (cwd === undefined ? '' : `cd ${quote(cwd)} && `) + argv.map(quote).join(' ');

/** One word for any POSIX shell. */
export const quote = (word: string): string =>
  plainWord.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

const plainWord = /^[\w@%+:,./-][\w@%+=:,./-]*$/;
