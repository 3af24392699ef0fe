import { z } from 'zod';
import { schema } from './schema.ts';

/** The JSON Schema (draft 7) of a definition, for editors. */
export const jsonSchema = (): object => ({
  ...z.toJSONSchema(schema, {
    target: 'draft-7',
    override: ({ jsonSchema: node }) => {
      delete node['absent'];
    },
  }),
  title: 'Playsmith cluster definition',
});
