import { createHash } from 'node:crypto';
import type { Job } from '../../generators/cluster/cluster.ts';
import { ok, type Result } from '../../generators/result.ts';
import { agentProgram } from '../runtime/agent/program.ts';
import type { JobState, ScheduleAnswers } from '../runtime/agent/schedule-messages.ts';
import { columns } from '../runtime/columns.ts';
import type { Failure } from '../runtime/failures.ts';
import type { World } from '../runtime/world.ts';
import { renderBundle, type DefinitionPlace, type RenderedBundle } from '../steps/bundle/bundle.ts';
import { reach } from '../steps/server/reach.ts';

/** What runs at set times: as the definition says, as it is installed, when it runs next, and how it ended. */
export async function showSchedule(place: DefinitionPlace, world: World): Promise<Result<void, Failure>> {
  const rendered = await renderBundle(place, world);
  if (!rendered.ok) return rendered;
  const server = await reach(rendered.value);
  if (!server.ok) return server;
  try {
    const found = await server.value.agent().ask('schedule', { cluster: rendered.value.cluster.name });
    if (!found.ok) return found;
    print(rendered.value, found.value, world);
    return ok(undefined);
  } finally {
    await server.value.close();
  }
}

type ServerSchedule = ScheduleAnswers['schedule'];

function print(rendered: RenderedBundle, found: ServerSchedule, world: World): void {
  const wanted = rendered.cluster.schedule?.jobs ?? [];
  for (const text of staleness(rendered, found)) world.report({ type: 'warning', text });
  if (world.json) {
    world.print(JSON.stringify({ type: 'schedule', wanted, ...found }));
    return;
  }
  const names = [...new Set([...wanted.map(({ name }) => name), ...found.jobs.map(({ job }) => job)])];
  const rows = names.map((name) =>
    row(
      name,
      wanted.find((job) => job.name === name),
      found.jobs.find(({ job }) => job === name),
    ),
  );
  world.print(
    rows.length === 0
      ? 'nothing runs at set times'
      : columns([['job', 'when', 'timer', 'next', 'last', ''], ...rows]),
  );
}

function staleness({ bundle, cluster }: RenderedBundle, { schedule }: ServerSchedule): readonly string[] {
  const next = 'npx task schedule install';
  if (schedule === null)
    return cluster.schedule === undefined ? [] : [`nothing is installed on the Ansible server: ${next}`];
  return [
    ...(cluster.schedule === undefined
      ? ['the definition has no `schedule` any more: put it back and call npx task schedule remove']
      : []),
    ...(schedule.digest === bundle.digest
      ? []
      : [`jobs use the bundle ${schedule.digest.slice(0, 12)}, not that of the definition: ${next}`]),
    ...(schedule.program === createHash('sha256').update(agentProgram()).digest('hex')
      ? []
      : [`jobs use the program of another version of Playsmith: ${next}`]),
  ];
}

function row(name: string, wanted: Job | undefined, state: JobState | undefined): string[] {
  const last = state?.last;
  return [
    name,
    wanted?.onCalendar.join('; ') ?? 'not in the definition',
    state === undefined ? 'not installed' : state.active ? 'on' : 'off',
    timeOf(state?.next ?? ''),
    last ? `${last.ended.slice(0, 16)}Z ${last.status}` : '',
    last?.run ?? '',
  ];
}

/** systemd says `@` and seconds. */
function timeOf(text: string): string {
  const [, seconds] = /^@(\d{1,11})$/.exec(text) ?? [];
  return seconds === undefined ? '' : `${new Date(Number(seconds) * 1000).toISOString().slice(0, 16)}Z`;
}
