import { ok } from '../../../generators/result.ts';
import type { LockHolder } from '../../runtime/agent/messages.ts';
import type { RunBrief } from '../../runtime/agent/run-records.ts';
import { columns } from '../../runtime/columns.ts';
import { runs as listRuns } from '../../steps/run/runs.ts';
import { withServer } from '../../steps/server/session.ts';
import { fileOption, task, wholeFrom } from '../../task.ts';

export const runs = task({
  name: 'runs',
  positionals: '',
  example: 'runs --limit 5',
  options: {
    file: fileOption,
    limit: { type: 'number', coerce: wholeFrom(1, 'limit'), default: 20, describe: 'List at most this many' },
  },
  run: ({ file, limit }, world) =>
    withServer(file, world, async ({ server, cluster }) => {
      const listed = await listRuns(server, { cluster: cluster.name, limit });
      if (!listed.ok) return listed;
      const latestFirst = listed.value.runs.toReversed();
      for (const folder of listed.value.unreadable)
        world.report({
          type: 'warning',
          text: `the record of the run in ${folder} cannot be read: its other files may tell what happened; move the folder away once nobody needs it`,
        });
      const holder = listed.value.locks[cluster.name];
      if (world.json) for (const brief of latestFirst) world.print(JSON.stringify(brief));
      else
        world.print(
          columns([['run', 'playbook', 'status', 'hosts', 'time', 'bundle', 'who'], ...latestFirst.map(row)]),
        );
      if (holder && !world.json)
        world.print(`\nlocked since ${holder.since} by ${holder.who} for ${holder.what} (${doing(holder)})`);
      return ok(undefined);
    }),
});

/** An apply holds the lock between its runs too. */
const doing = ({ run, alive }: LockHolder): string =>
  run !== '' ? `run ${run}` : alive === false ? 'gone between two steps' : 'between two steps';

function row({ run, playbook, status, recap, seconds, digest, options, meta }: RunBrief): string[] {
  const hosts = Object.values(recap ?? {});
  const wrong = hosts.filter(({ failed, unreachable }) => failed + unreachable > 0).length;
  return [
    run,
    [playbook, options.check ? '(check)' : '', settings(options)].filter((part) => part !== '').join(' '),
    status,
    wrong > 0 ? `${hosts.length - wrong} of ${hosts.length}` : `${hosts.length}`,
    seconds === null ? '' : `${seconds.toFixed(0)} s`,
    digest.slice(0, 12),
    meta.operator,
  ];
}

/** The variables of a run as they were typed. */
export const settings = ({ variables = {} }: RunBrief['options']): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
