import { writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { failed, ok, type Result } from '../../../generators/result.ts';
import { compose, type Parts } from '../../report/compose.ts';
import { fleetLines } from '../../fleet/lines.ts';
import { localRun, remoteRun, type FoundRun } from '../../report/find-run.ts';
import { pageOf } from '../../report/page-parts.ts';
import { createFolder, diskReason } from '../../runtime/folders.ts';
import { stepsNow } from '../../steps/state/plans.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { World } from '../../runtime/world.ts';
import { renderBundle, type RenderedBundle } from '../../steps/bundle/bundle.ts';
import { reach } from '../../steps/server/reach.ts';
import { localRecords } from '../../steps/run/record.ts';
import { keepsake } from '../../steps/run/watch.ts';
import { fileOption, outputOption, task } from '../../task.ts';

export const report = task({
  name: 'report',
  positionals: '[about]',
  example: 'report',
  options: {
    file: fileOption,
    output: outputOption,
    about: {
      type: 'string',
      default: '',
      describe: 'Id of a run, `cluster`, or `fleet` (of fleet.yml) (default: the latest run)',
    },
    to: {
      type: 'string',
      requiresArg: true,
      describe: 'File to write (default: one below .playsmith/reports/)',
    },
  },
  run: async ({ file: given, output, about, to }, world) => {
    const file = about === 'fleet' && given === fileOption.default ? 'fleet.yml' : given;
    const rendered = await renderBundle({ file, output }, world);
    if (!rendered.ok) return rendered;
    const cluster = rendered.value.cluster.name;
    const found =
      about === 'fleet'
        ? await gatherFleet(rendered.value, file, world)
        : await gather(rendered.value, about, world);
    if (!found.ok) return found;
    const parts = { ...found.value, records: await localRecords(join(world.cwd, keepsake), cluster) };
    const name = parts.run?.record.run ?? (parts.fleet ? 'fleet' : 'cluster');
    const path =
      to === undefined
        ? join(world.cwd, keepsake, 'reports', cluster, `${name}.html`)
        : resolve(world.cwd, to);
    return write(path, await pageOf(compose(parts)), world);
  },
});

/** Nodes that do not answer are told, and do not keep the page from being written. */
async function gatherFleet(
  rendered: RenderedBundle,
  file: string,
  world: World,
): Promise<Result<Omit<Parts, 'records'>, Failure>> {
  const fleet = await fleetLines(file, world);
  const base = { rendered, live: false, now: new Date().toISOString(), notes: [], plan: undefined };
  return fleet.ok ? ok({ ...base, fleet: fleet.value }) : fleet;
}

/** A copy of a run that is over needs no server; the latest run, the cluster and its plan are asked for there. */
async function gather(
  rendered: RenderedBundle,
  about: string,
  world: World,
): Promise<Result<Omit<Parts, 'records'>, Failure>> {
  const base = { rendered, live: false, now: new Date().toISOString() };
  const wanted = { cluster: rendered.cluster.name, run: about, folder: join(world.cwd, keepsake) };
  const local = about === 'cluster' || about === '' ? undefined : await localRun(wanted);
  if (local !== undefined) return ok({ ...base, ...partsOf(local) });
  const server = await reach(rendered);
  if (!server.ok) return away(server.failure, wanted, base, world);
  try {
    const after = await stepsNow(server.value, rendered);
    if (about === 'cluster') return ok({ ...base, notes: [], plan: after && { after } });
    const found = await remoteRun(server.value, wanted);
    if (!found.ok) return found;
    const { plan = after && { after }, ...parts } = partsOf(found.value);
    return ok({ ...base, ...parts, plan });
  } finally {
    await server.value.close();
  }
}

const partsOf = ({ record, collected, plan, notes }: FoundRun): Pick<Parts, 'run' | 'plan' | 'notes'> => ({
  run: { record, collected },
  plan,
  notes,
});

/** Without the server, what lies here is told, and that it is no more. */
async function away(
  failure: Failure,
  wanted: Parameters<typeof localRun>[0],
  base: Pick<Parts, 'rendered' | 'live' | 'now'>,
  world: World,
): Promise<Result<Omit<Parts, 'records'>, Failure>> {
  const note = 'The Ansible server did not answer: this is what lies on the machine that wrote the page.';
  const warn = (): void => {
    world.report({ type: 'warning', text: `${failure.message}; showing what is stored here` });
  };
  if (wanted.run === 'cluster') {
    warn();
    return ok({ ...base, notes: [note], plan: undefined });
  }
  const found = wanted.run === '' ? await localRun(wanted) : undefined;
  if (found === undefined) return failed(failure);
  warn();
  const parts = partsOf(found);
  return ok({ ...base, ...parts, notes: [...parts.notes, note] });
}

async function write(path: string, text: string, world: World): Promise<Result<void, Failure>> {
  try {
    createFolder(dirname(path));
    await writeFile(path, text, { mode: 0o600 });
  } catch (error) {
    return failed({
      kind: 'file',
      message: `cannot write the report ${path}: ${diskReason(error)}`,
      next: 'Name another file with --to',
    });
  }
  const shown = relative(world.cwd, path);
  const bytes = Buffer.byteLength(text);
  world.print(
    world.json
      ? JSON.stringify({ type: 'report', path, bytes })
      : `${shown} (${(bytes / 1e6).toFixed(1)} MB)`,
  );
  return ok(undefined);
}
