import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appliedAfter, nothingApplied } from '../../../generators/plan/applied.ts';
import { effectOf } from '../../../generators/plan/effect.ts';
import type { World } from '../../../tasks/runtime/world.ts';
import { renderBundle, type DefinitionPlace } from '../../../tasks/steps/bundle/bundle.ts';
import { snapshotOfRendered } from '../../../tasks/steps/state/life.ts';
import { value } from './ansible-server.ts';

/** Writes on an Ansible server, whose files are in `directory`, what it has after a run of all of the definition. */
export async function allApplied(directory: string, place: DefinitionPlace, world: World): Promise<void> {
  const rendered = value(await renderBundle(place, world));
  const snapshot = snapshotOfRendered(rendered);
  const asked = { targets: [], brings: [], completes: '', check: false, limit: [], tagged: false };
  const effect = effectOf({ operation: 'instantiate', ...asked }, snapshot);
  if (effect === undefined) throw new Error('a whole run has an effect');
  const whole = { run: 'r', operation: 'instantiate', targets: [], bundle: snapshot.bundle, effect };
  const base = appliedAfter(nothingApplied, { ...whole, status: 'successful', recap: {} }, snapshot);
  const ledger = { apiVersion: 'playsmith/v1', kind: 'Applied', base, snapshots: {}, facts: [] };
  const kept = join(directory, 'kept', rendered.cluster.name);
  mkdirSync(kept, { recursive: true, mode: 0o700 });
  writeFileSync(join(kept, 'applied.json'), JSON.stringify(ledger));
}
