import { collectionVersion } from '../../../generators/collection.ts';
import { failed, ok } from '../../../generators/result.ts';
import { renderBundle } from '../../steps/bundle/bundle.ts';
import { compare, write } from '../../steps/bundle/write.ts';
import { fileOption, outputOption, task } from '../../task.ts';

export const render = task({
  name: 'render',
  positionals: '',
  example: 'render --check',
  options: {
    file: fileOption,
    output: outputOption,
    check: {
      type: 'boolean',
      default: false,
      describe: 'Write nothing; fail with a diff if playbooks/ differs',
    },
  },
  run: async ({ file, output, check }, world) => {
    const rendered = await renderBundle({ file, output }, world);
    if (!rendered.ok) return rendered;
    const { bundle, folder, shownFolder } = rendered.value;
    if (check) {
      const found = await compare(bundle, folder);
      if (!found.ok) return found;
      const { diff, strangers } = found.value;
      if (diff !== '')
        return failed({ kind: 'drift', message: `${shownFolder} is not what ${file} renders to`, diff });
      if (strangers.length > 0)
        world.report({
          type: 'warning',
          text: `these files in ${shownFolder} were not rendered and are never pushed: ${strangers.join(', ')}`,
        });
      world.report({ type: 'note', text: `${shownFolder} is exactly what ${file} renders to` });
      return ok(undefined);
    }
    const written = await write(bundle, folder);
    if (!written.ok) return written;
    world.report({
      type: 'bundle-rendered',
      folder: shownFolder,
      digest: bundle.digest,
      collection: collectionVersion(bundle.files),
      ...written.value,
    });
    return ok(undefined);
  },
});
