import type { Templates } from '../../../generators/engine.ts';
import { readTemplates } from '../../../library/texts.ts';

/** The templates and the collection of this checkout, read once. */
export const templates: Templates = readTemplates();
