import { resolve } from 'node:path';
import { failed, ok } from '../../../generators/result.ts';
import { clusterMetrics } from '../../report/metrics.ts';
import { replaceFile } from '../../steps/definition/replace-file.ts';
import { withServer } from '../../steps/server/session.ts';
import { fileOption, task } from '../../task.ts';

export const metrics = task({
  name: 'metrics',
  positionals: '',
  example: 'metrics --to /var/lib/prometheus/node-exporter/edge-a.prom',
  options: {
    file: fileOption,
    to: {
      type: 'string',
      describe:
        'Write them to this file, as the textfile collector of node_exporter reads it: its name ends in .prom',
    },
  },
  run: async ({ file, to }, world) => {
    // The collector reads nothing else, and says nothing about it.
    if (to !== undefined && !to.endsWith('.prom'))
      return failed({
        kind: 'usage',
        message: `--to ${to} does not end in .prom, so node_exporter would not read it`,
      });
    return withServer(file, world, async (session) => {
      const found = await clusterMetrics(session);
      if (!found.ok) return found;
      if (to !== undefined) return replaceFile(resolve(world.cwd, to), found.value);
      world.print(world.json ? JSON.stringify({ type: 'metrics', text: found.value }) : found.value);
      return ok(undefined);
    });
  },
});
