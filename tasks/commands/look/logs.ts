import { join } from 'node:path';
import { failed, ok } from '../../../generators/result.ts';
import { load } from '../../steps/definition/load.ts';
import { reach } from '../../steps/server/reach.ts';
import { localLog, localRecords } from '../../steps/run/record.ts';
import { log } from '../../steps/run/runs.ts';
import { keepsake } from '../../steps/run/watch.ts';
import { settings } from './runs.ts';
import { fileOption, task } from '../../task.ts';

export const logs = task({
  name: 'logs',
  positionals: '[run]',
  example: 'logs',
  options: {
    file: fileOption,
    run: { type: 'string', default: '', describe: 'Id of the run (default: the latest)' },
  },
  run: async ({ file, run }, world) => {
    const loaded = await load(file, world);
    if (!loaded.ok) return loaded;
    const cluster = loaded.value.cluster.name;
    const server = await reach(loaded.value);
    if (server.ok) {
      const printed = await log(server.value, { cluster, run, print: world.print });
      await server.value.close();
      if (!printed.ok) return printed;
      const variables = settings(printed.value.options);
      if (variables !== '') world.report({ type: 'note', text: `${printed.value.run}: with ${variables}` });
      return ok(undefined);
    }
    const folder = join(world.cwd, keepsake);
    const latest = run === '' ? (await localRecords(folder, cluster)).at(-1)?.run : run;
    const kept = latest === undefined ? undefined : await localLog(folder, cluster, latest);
    if (kept === undefined) return failed(server.failure);
    world.report({
      type: 'warning',
      text: `${server.failure.message}; showing the local copy of ${latest ?? ''}`,
    });
    world.print(kept);
    return ok(undefined);
  },
});
