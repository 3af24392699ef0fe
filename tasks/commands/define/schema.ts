import { jsonSchema } from '../../../generators/definition/json-schema.ts';
import { kindNames } from '../../../generators/definition/kind-names.ts';
import { ok } from '../../../generators/result.ts';
import { task } from '../../task.ts';

export const schema = task({
  name: 'schema',
  positionals: '',
  example: 'schema > cluster.schema.json',
  options: { kind: { choices: kindNames, default: kindNames[0], describe: 'The kind of definition' } },
  run: ({ kind }, world) => {
    world.print(JSON.stringify(jsonSchema(kind), null, world.json ? 0 : 2));
    return Promise.resolve(ok(undefined));
  },
});
