import { jsonSchema } from '../generators/definition/json-schema.ts';
import { ok } from '../generators/result.ts';
import { task } from './task.ts';

export const schema = task({
  name: 'schema',
  positionals: '',
  summary: 'Print the JSON Schema of a definition, for editors',
  example: 'schema > cluster.schema.json',
  options: {},
  run: (_values, world) => {
    world.print(JSON.stringify(jsonSchema(), null, 2));
    return Promise.resolve(ok(undefined));
  },
});
