import * as z from 'zod';
import type { kindNames } from './kind-names.ts';
import { kinds } from './kinds.ts';

/** The JSON Schema (draft 7) of a kind of definition, for editors. */
export const jsonSchema = (kind: (typeof kindNames)[number] = 'Cluster'): object => ({
  ...z.toJSONSchema(kinds[kind].schema, {
    target: 'draft-7',
    override: ({ jsonSchema: node }) => {
      delete node['absent'];
    },
  }),
  title: kind === 'Cluster' ? 'Playsmith cluster definition' : `Playsmith definition of kind ${kind}`,
});
