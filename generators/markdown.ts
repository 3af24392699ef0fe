/** Sentences as a list of Markdown. */
export const bulletList = (sentences: readonly string[]): string =>
  sentences.map((sentence) => `- ${sentence}`).join('\n');

/** A sentence of plain text whose signs Markdown, HTML and git servers would read: it names nobody, and no other request. */
export const inlineText = (text: string): string =>
  text
    .replaceAll(/[\\`*_[\]<>|~&$]/g, (sign) => `\\${sign}`)
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll(/(?<!\w)@(?=\w)|[#!%](?=\d)/g, (sign) => `${sign}&#8203;`);

/** A fence that is longer than any in the text. */
export function codeBlock(language: string, text: string): string {
  const fence = fenceAround(text);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Three signs, or one more than any row of them in the text. */
export const fenceAround = (text: string): string =>
  '`'.repeat([...text.matchAll(/`+/g)].reduce((most, [found]) => Math.max(most, found.length), 2) + 1);
