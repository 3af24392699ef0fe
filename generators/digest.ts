import { createHash } from 'node:crypto';

/** SHA-256 as lower-case hexadecimal. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
