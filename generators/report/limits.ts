/** How much of a run a page holds, so that it stays below 5 MB and is drawn at once. */
export interface PageLimits {
  /** Bars of all lanes. */
  readonly bars: number;
  readonly tasks: number;
  readonly failures: number;
  /** Characters of one text, and of all texts of a kind. */
  readonly text: number;
  readonly texts: number;
  readonly words: number;
  readonly changes: number;
}

export const usualLimits: PageLimits = {
  bars: 20_000,
  tasks: 3_000,
  failures: 200,
  text: 16_000,
  texts: 1_000_000,
  words: 100,
  changes: 5_000,
};

/** A text cut to a number of characters at the end of a line, with a word on how much is gone. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.lastIndexOf('\n', most);
  const kept = text.slice(0, end > 0 ? end : most);
  const gone = text.slice(kept.length).split('\n').length - 1;
  return `${kept}\n… ${gone > 0 ? `${gone} more lines` : `${text.length - kept.length} more characters`}`;
}
