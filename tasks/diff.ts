import { basename, dirname } from 'node:path';
import { explainDiff } from '../generators/diff.ts';
import { load as loadText } from '../generators/definition/load.ts';
import type { Cluster } from '../generators/cluster.ts';
import { render } from '../generators/render.ts';
import { ok } from '../generators/result.ts';
import { program } from './runtime/program.ts';
import { renderBundle, type Rendered } from './steps/bundle.ts';
import { readTemplates } from './steps/load.ts';
import { readRendered } from './steps/present.ts';
import { fileOption, outputOption, task } from './task.ts';

export const diff = task({
  name: 'diff',
  positionals: '',
  summary: 'Show what a change of the definition changes in the bundle: in words, then as text',
  example: 'diff --against HEAD~1',
  options: {
    file: fileOption,
    output: outputOption,
    against: {
      type: 'string',
      default: 'HEAD',
      describe: 'The git revision of the definition to compare with',
    },
  },
  run: async ({ file, output, against }, world) => {
    const rendered = await renderBundle({ file, output }, world);
    if (!rendered.ok) return rendered;
    const { cluster, bundle, folder, shownFolder } = rendered.value;
    const now = bundle.files.filter(({ path }) => path !== 'manifest.json');
    const before = await clusterAt(against, rendered.value);
    const old = before ? ok(render(before, await readTemplates())) : await readRendered(folder);
    if (!old.ok) return old;
    const changes = explainDiff(old.value, now, before && { oldCluster: before, newCluster: cluster });
    const other = before ? `${file} at ${against}` : shownFolder;
    world.print(changes === '' ? `${file} renders to the same as ${other}` : changes);
    return ok(undefined);
  },
});

/** The cluster of a committed definition, or undefined: not committed there, or it had faults then. */
async function clusterAt(revision: string, { file }: Rendered): Promise<Cluster | undefined> {
  const text = await program(['git', 'show', `${revision}:./${basename(file)}`], { cwd: dirname(file) });
  if (!text.ok) return undefined;
  const loaded = loadText(text.value.stdout, `${revision}:${basename(file)}`);
  return loaded.ok ? loaded.value.cluster : undefined;
}
