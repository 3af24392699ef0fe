import { kindOf } from '../../../generators/kinds/kinds.ts';
import { ok } from '../../../generators/result.ts';
import { load } from '../../steps/definition/load.ts';
import { fileOption, task } from '../../task.ts';

export const check = task({
  name: 'check',
  positionals: '',
  example: 'check --file cluster.yml',
  options: { file: fileOption },
  run: async ({ file }, world) => {
    const loaded = await load(file, world);
    if (!loaded.ok) return loaded;
    const { cluster } = loaded.value;
    const what = kindOf(cluster).summary(cluster);
    world.report({ type: 'note', text: `${file}: ${what}, no problems` });
    return ok(undefined);
  },
});
