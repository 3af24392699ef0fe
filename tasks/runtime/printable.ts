import { stripVTControlCharacters } from 'node:util';

/**
 * A text of another machine as a terminal may show it: without escape sequences, without what is left of those that
 * were hidden in one another, and without marks that turn the direction of writing.
 */
export const printable = (text: string): string =>
  stripVTControlCharacters(text)
    .replaceAll('\r\n', '\n')
    .replaceAll(
      /(?![\n\t])\p{Cc}|[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu,
      '',
    );
