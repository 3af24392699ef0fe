import { isSea } from 'node:sea';

/** Whether this is the one file that has Node.js in it (docs/install.md). */
export const isSingleFile = isSea();

/** What one types for the command here. */
export const commandName = isSingleFile ? 'playsmith' : 'task';

/** A text that tells commands as they have to be typed here: with the single file there is no `npx`. */
export const asTyped = (text: string): string =>
  isSingleFile ? text.replaceAll(/\bnpx (?:--no )?task\b/g, commandName) : text;
