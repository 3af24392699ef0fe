import { join } from 'node:path';
import { ok } from '../../../generators/result.ts';
import type { Answers } from '../../runtime/agent/messages.ts';
import { operator } from '../../runtime/operator.ts';
import { oldCopies } from '../../steps/run/gc.ts';
import { withServer } from '../../steps/server/session.ts';
import { keepsake } from '../../steps/run/watch.ts';
import { fileOption, task } from '../../task.ts';

export const gc = task({
  name: 'gc',
  positionals: '',
  example: 'gc --check',
  options: {
    file: fileOption,
    check: { type: 'boolean', default: false, describe: 'Only list what would be removed' },
  },
  run: ({ file, check }, world) =>
    withServer(file, world, async ({ server, cluster }) => {
      const { name, ansibleServer } = cluster;
      const kept = ansibleServer.retention;
      const who = await operator(world.cwd);
      const there = await server.agent().ask('gc', { cluster: name, ...kept, who, check });
      if (!there.ok) return there;
      const parent = join(world.cwd, keepsake, 'runs', name);
      const here = await oldCopies(parent, { ...kept, check, now: Date.now() });
      if (!here.ok) return here;
      const gone = { ...there.value, copies: here.value };
      world.print(world.json ? JSON.stringify({ type: 'gc', check, ...gone }) : text(gone, check));
      return ok(undefined);
    }),
});

type RemovedFiles = Answers['gc'] & { readonly copies: readonly string[] };

function text({ runs, bundles, logs, leftovers, bytes, copies }: RemovedFiles, check: boolean): string {
  const lines = [
    ...runs.map((name) => `  run ${name}`),
    ...bundles.map((digest) => `  bundle ${digest.slice(0, 12)}`),
    ...logs.map((path) => `  log ${path}`),
    ...leftovers.map((path) => `  left by a process that was killed: ${path}`),
    ...copies.map((name) => `  copy of a record, here: ${name}`),
  ];
  if (lines.length === 0) return 'nothing is older than the definition keeps';
  return [check ? 'would remove:' : 'removed:', ...lines, `on the server ${size(bytes)}`].join('\n');
}

const size = (bytes: number): string =>
  bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
