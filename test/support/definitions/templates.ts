import type { Templates } from '../../../generators/engine.ts';
import { readTemplates } from '../../../tasks/steps/definition/load.ts';

/** The templates and the collection of this checkout, read once. */
export const templates: Templates = await readTemplates();
