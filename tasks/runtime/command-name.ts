import { basename } from 'node:path';
import { isSea } from 'node:sea';
import process from 'node:process';

const [, path = ''] = process.argv;

/** Whether this is no package of a project: the single file, the image, or one that was installed for a whole machine. */
export const isStandalone = isSea() || (basename(path) === 'playsmith' && !path.includes('node_modules'));

/** What one types for the command here. */
export const commandName = isStandalone ? 'playsmith' : 'task';

/** A text that tells commands as they have to be typed here: outside of a project, `npx` finds nothing of ours. */
export const asTyped = (text: string): string =>
  isStandalone ? text.replaceAll(/\bnpx (?:--no )?task\b/g, commandName) : text;
