/** Sentences as a list of Markdown. */
export const bulletList = (sentences: readonly string[]): string =>
  sentences.map((sentence) => `- ${sentence}`).join('\n');

/** A sentence of plain text whose signs Markdown and HTML would read. */
export const inlineText = (text: string): string =>
  text.replaceAll(/[\\`*_[\]<>|~]/g, (sign) => `\\${sign}`).replaceAll('\n', ' ');

/** A fence that is longer than any in the text. */
export function codeBlock(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([found]) => found.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
