interface LexicalProblem {
  readonly offset: number;
  readonly wrong: string;
  readonly right: string;
}

/** What would make a YAML reader slow or overflow its stack is refused before it is read. */
export function lexicalProblem(text: string): LexicalProblem | undefined {
  if (text.length > largest)
    return { offset: 0, wrong: 'the file is larger than 16 MB', right: 'one cluster in a file' };
  const bare = /\r(?!\n)/.exec(text);
  if (bare && !text.includes('\n'))
    return {
      offset: bare.index,
      wrong: 'lines end with CR alone, which YAML reads as one line',
      right: 'LF or CR LF at their ends',
    };
  const offset = tooDeepAt(text);
  return offset === undefined ? undefined : { offset, ...nestedTooDeep };
}

export const nestedTooDeep = {
  wrong: 'this is nested too deeply',
  right: 'what the reference page of the definition shows',
};

const tooDeepAt = (text: string): number | undefined => {
  const marks = manyMarks.exec(text);
  return marks ? marks.index : deepBracketAt(text);
};

/** Brackets in comments and quoted texts count too, which the limit leaves room for. */
function deepBracketAt(text: string): number | undefined {
  let depth = 0;
  for (const { index, 0: bracket } of text.matchAll(/[[\]{}]/g)) {
    depth = bracket === '[' || bracket === '{' ? depth + 1 : Math.max(0, depth - 1);
    if (depth > deepest) return index;
  }
  return undefined;
}

/** `- - - …` in one line, or an indentation that only nesting can need. */
const manyMarks = /^(?: {400}|[ \t]*(?:[-?:][ \t]+){50})/m;
const deepest = 400;
const largest = 16 * 1024 * 1024;
