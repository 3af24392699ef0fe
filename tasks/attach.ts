import { runStatus } from './steps/runs.ts';
import { watch } from './steps/watch.ts';
import { withServer } from './steps/session.ts';
import { fileOption, task, wholeFrom } from './task.ts';

export const attach = task({
  name: 'attach',
  positionals: '[run]',
  summary: 'Follow a run that was left or lost, from its first event or any other, to its end',
  example: 'attach',
  options: {
    file: fileOption,
    run: { type: 'string', default: '', describe: 'Its id; the latest when left out' },
    from: {
      type: 'number',
      coerce: wholeFrom(0, 'from'),
      default: 0,
      describe: 'Counter of the first event wanted',
    },
  },
  run: ({ file, run, from }, world) =>
    withServer(file, world, async (session) => {
      const found = await runStatus(session.server, { cluster: session.cluster.name, run });
      if (!found.ok) return found;
      const { playbook, options, meta } = found.value;
      const { plays, tasks } = meta;
      world.report({
        type: 'run-started',
        run: found.value.run,
        playbook,
        plays,
        tasks,
        check: options.check ?? false,
      });
      return watch(
        { loaded: session, server: session.server, run: found.value.run, from, total: tasks },
        world,
      );
    }),
});
