import { ok } from '../../../generators/result.ts';
import { renderBundle } from '../../steps/bundle/bundle.ts';
import { push as pushBundle } from '../../steps/bundle/push.ts';
import { reach } from '../../steps/server/reach.ts';
import { review } from '../../steps/bundle/review.ts';
import { fileOption, outputOption, task } from '../../task.ts';

export const push = task({
  name: 'push',
  positionals: '',
  example: 'push',
  options: { file: fileOption, output: outputOption },
  run: async (place, world) => {
    const rendered = await renderBundle(place, world);
    if (!rendered.ok) return rendered;
    const { cluster, bundle, folder, file } = rendered.value;
    const reviewed = await review(bundle, {
      folder,
      definition: file,
      asked: cluster.review,
    });
    if (!reviewed.ok) return reviewed;
    const server = await reach(rendered.value);
    if (!server.ok) return server;
    try {
      const pushed = await pushBundle(server.value, bundle);
      if (!pushed.ok) return pushed;
      world.report({ type: 'bundle-pushed', ...pushed.value });
      return ok(undefined);
    } finally {
      await server.value.close();
    }
  },
});
