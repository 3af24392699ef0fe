import { explainDiff, explainInMarkdown } from '../../../generators/diff/diff.ts';
import { render } from '../../../generators/render.ts';
import { ok } from '../../../generators/result.ts';
import { readTemplates } from '../../../library/texts.ts';
import { renderBundle } from '../../steps/bundle/bundle.ts';
import { clusterAt } from '../../steps/definition/at-revision.ts';
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
    const before = await clusterAt(against ?? 'HEAD', rendered.value.file);
    if (!before.ok && against !== undefined) return before;
    const oldCluster = before.ok ? before.value : undefined;
    const old = oldCluster ? ok(render(oldCluster, readTemplates())) : await readRendered(folder);
    if (!old.ok) return old;
    const origins = oldCluster && { oldCluster, newCluster: cluster };
    const changes = markdown
      ? explainInMarkdown(old.value, now, origins, limit)
      : explainDiff(old.value, now, origins);
    const other = oldCluster ? `${file} at ${against ?? 'HEAD'}` : shownFolder;
    if (world.json) world.print(JSON.stringify({ type: 'difference', against: other, text: changes }));
    else world.print(changes === '' ? `${file} renders to the same as ${other}` : changes);
    return ok(undefined);
  },
});
