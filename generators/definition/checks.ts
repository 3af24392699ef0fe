import type { Finding } from './finding.ts';
import type { Draft } from './schema.ts';

/** Whether sound values fit together. Works on a definition with gaps, so that one fault does not hide another. */
export const check = (draft: Draft): readonly Finding[] => checks.flatMap((each) => each(draft));

const checks: readonly ((draft: Draft) => readonly Finding[])[] = [];
