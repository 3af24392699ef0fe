import { dirname } from 'node:path';
import { explainDiff } from '../../generators/diff/diff.ts';
import { patch } from '../../generators/diff/patch.ts';
import { render } from '../../generators/render.ts';
import { load as loadText } from '../../generators/load.ts';
import { showProblems } from '../../generators/source/problems.ts';
import type { Cluster } from '../../generators/cluster/cluster.ts';
import { failed, ok, type Result } from '../../generators/result.ts';
import { readTemplates } from '../../library/texts.ts';
import type { Failure } from '../runtime/failures.ts';
import { readFiles } from '../steps/definition/files.ts';
import type { DefinitionFile } from '../steps/definition/load.ts';

/** A definition with newer versions, and what that changes, as a person reads it. */
export interface UpdateSeen {
  readonly cluster: Cluster;
  readonly shown: string;
}

/** Checks a changed definition as any other, and shows the difference of its text and of its bundle. */
export async function seeUpdate(
  { cluster, file, text }: DefinitionFile,
  changed: string,
  shownFile: string,
): Promise<Result<UpdateSeen, Failure>> {
  const loaded = loadText(changed, shownFile, await readFiles(changed, dirname(file)));
  if (!loaded.ok)
    return failed({
      kind: 'definition',
      message: 'the newer versions do not go with the rest of the definition; nothing was written',
      report: showProblems(loaded.failure, changed),
    });
  const now = loaded.value.cluster;
  const templates = readTemplates();
  const origins = { oldCluster: cluster, newCluster: now };
  const bundle = explainDiff(render(cluster, templates), render(now, templates), origins);
  const definition = patch({ path: shownFile, before: text, after: changed });
  return ok({ cluster: now, shown: `${definition}\n${bundle}` });
}
