import { planOf } from '../../../generators/plan/plan.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import { compareHosts } from '../../drift/compare-hosts.ts';
import type { HostDifference } from '../../drift/compared.ts';
import { columns } from '../../runtime/columns.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { World } from '../../runtime/world.ts';
import type { DefinitionPlace, RenderedBundle } from '../../steps/bundle/bundle.ts';
import { readLife, snapshotOfRendered } from '../../steps/state/life.ts';
import { withServer } from '../../steps/server/session.ts';
import { fileOption, outputOption, task } from '../../task.ts';

export const drift = task({
  name: 'drift',
  positionals: '',
  example: 'drift',
  options: { file: fileOption, output: outputOption },
  run: (place, world) => findDrift(place, world),
});

async function findDrift(place: DefinitionPlace, world: World): Promise<Result<void, Failure>> {
  const compared = await compareHosts(place, world);
  if (!compared.ok) return compared;
  const { rendered, differences } = compared.value;
  show(differences, world);
  if (!differences.some(({ kind }) => kind === 'differs')) return ok(undefined);
  await warnOfPlan(rendered, world);
  return failed(driftFailure(differences));
}

function show(differences: readonly HostDifference[], { json, print }: World): void {
  if (json) for (const difference of differences) print(JSON.stringify({ type: 'drift', ...difference }));
  else if (differences.length === 0) print('every host is as the bundle says');
  else
    print(
      columns([
        ['host', 'phase', 'what it would do', ''],
        ...differences.map(({ host, phase, task, kind }) => [
          host,
          phase,
          task,
          kind === 'unknown' ? 'could not be checked' : '',
        ]),
      ]),
    );
}

/** A definition that was changed and not applied differs from the hosts as it should. */
async function warnOfPlan(rendered: RenderedBundle, world: World): Promise<void> {
  await withServer(rendered.file, world, async ({ server }) => {
    const life = await readLife(server, rendered.cluster.name);
    if (!life.ok) return life;
    const plan = planOf({ applied: life.value.applied, wanted: snapshotOfRendered(rendered) });
    if (plan.steps.length > 0)
      world.report({
        type: 'warning',
        text: 'some of this is pending: the definition has unapplied changes (npx task plan)',
      });
    return ok(undefined);
  });
}

const driftFailure = (differences: readonly HostDifference[]): Failure => {
  const unknown = differences.filter(({ kind }) => kind === 'unknown');
  const hosts = [...new Set(differences.map(({ host }) => host))].sort();
  return {
    kind: 'drifted',
    message: `${hosts.join(', ')}: ${differences.length - unknown.length} differ from the bundle${unknown.length > 0 ? `, ${unknown.length} could not be checked` : ''}`,
    evidence: unknown.map(({ host, task, detail }) => `${host}: TASK [${task}]: ${detail}`).join('\n'),
    next: 'Run the phases that are named to restore the hosts, like npx task run haproxy, and do what the rows of verify say; or change the definition',
  };
};
