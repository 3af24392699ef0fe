import { basename, dirname } from 'node:path';
import { explainDiff, explainInMarkdown } from '../../../generators/diff/diff.ts';
import { showProblems } from '../../../generators/source/problems.ts';
import { load as loadText } from '../../../generators/load.ts';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import type { Files } from '../../../generators/definition/files.ts';
import { render } from '../../../generators/render.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import { readTemplates } from '../../../library/texts.ts';
import type { Failure } from '../../runtime/failures.ts';
import { lastLines, program } from '../../runtime/program.ts';
import { renderBundle, type RenderedBundle } from '../../steps/bundle/bundle.ts';
import { filesBy } from '../../steps/definition/files.ts';
import { readRendered } from '../../steps/bundle/present.ts';
import { fileOption, outputOption, task, wholeFrom } from '../../task.ts';

export const diff = task({
  name: 'diff',
  positionals: '',
  example: 'diff --against HEAD~1',
  options: {
    file: fileOption,
    output: outputOption,
    against: {
      type: 'string',
      describe:
        'Git revision of the definition to compare with (default: HEAD, or what is in playbooks/ if there is none)',
    },
    markdown: {
      type: 'boolean',
      default: false,
      describe: 'Print Markdown for a merge request, with the topology before and after if it changes',
    },
    limit: {
      type: 'number',
      coerce: wholeFrom(1000, 'limit'),
      describe: 'With --markdown: characters a merge request takes; longer differences are only named',
    },
  },
  run: async ({ file, output, against, markdown, limit }, world) => {
    const rendered = await renderBundle({ file, output }, world);
    if (!rendered.ok) return rendered;
    const { cluster, bundle, folder, shownFolder } = rendered.value;
    const now = bundle.files.filter(({ path }) => path !== 'manifest.json');
    const before = await clusterAt(against ?? 'HEAD', rendered.value);
    if (!before.ok && against !== undefined) return before;
    const oldCluster = before.ok ? before.value : undefined;
    const old = oldCluster ? ok(render(oldCluster, readTemplates())) : await readRendered(folder);
    if (!old.ok) return old;
    const origins = oldCluster && { oldCluster, newCluster: cluster };
    const changes = markdown
      ? explainInMarkdown(old.value, now, origins, limit)
      : explainDiff(old.value, now, origins);
    const other = oldCluster ? `${file} at ${against ?? 'HEAD'}` : shownFolder;
    world.print(changes === '' ? `${file} renders to the same as ${other}` : changes);
    return ok(undefined);
  },
});

/** The cluster of a definition as it was committed. */
async function clusterAt(revision: string, { file }: RenderedBundle): Promise<Result<Cluster, Failure>> {
  const name = `${revision}:./${basename(file)}`;
  const text = await program(['git', 'show', '--end-of-options', name], { cwd: dirname(file) });
  if (!text.ok)
    return failed({
      kind: 'usage',
      message: `there is no ${basename(file)} at ${revision}: ${lastLines(text.failure, 1)}`,
      next: 'name a revision that has the definition',
    });
  const loaded = loadText(text.value.stdout, name, await filesAt(revision, text.value.stdout, dirname(file)));
  return loaded.ok
    ? ok(loaded.value.cluster)
    : failed({
        kind: 'definition',
        message: `the definition had problems at ${revision}`,
        report: showProblems(loaded.failure, text.value.stdout),
      });
}

/** The files that the definition named then, as they were then. */
const filesAt = (revision: string, text: string, cwd: string): Promise<Files> => {
  const shown = (name: string): ReturnType<typeof program> =>
    program(['git', 'show', '--end-of-options', `${revision}:./${name}`], { cwd });
  return filesBy(text, {
    read: async (path) => {
      const found = await shown(path);
      return found.ok ? ok(found.value.stdout) : failed(`there is no file ${path} at ${revision}`);
    },
    // A heading, an empty line, then a name a line; those of folders end with a slash.
    list: async (path) => {
      const found = await shown(`${path}/`);
      if (!found.ok) return failed(`there is no folder ${path} at ${revision}`);
      const names = found.value.stdout.split('\n').slice(2);
      return ok(names.filter((name) => name !== '' && !name.endsWith('/')));
    },
    folder: undefined,
  });
};
