import { failed, ok } from '../../../generators/result.ts';
import { overview, refusal, show } from '../../apply/overview.ts';
import { renderBundle } from '../../steps/bundle/bundle.ts';
import { reach } from '../../steps/server/reach.ts';
import { fileOption, outputOption, task } from '../../task.ts';

export const plan = task({
  name: 'plan',
  positionals: '',
  example: 'plan',
  options: {
    file: fileOption,
    output: outputOption,
    markdown: { type: 'boolean', default: false, describe: 'Print Markdown for a merge request' },
  },
  run: async ({ markdown, ...place }, world) => {
    const rendered = await renderBundle(place, world);
    if (!rendered.ok) return rendered;
    const server = await reach(rendered.value);
    if (!server.ok) return server;
    try {
      const seen = await overview(server.value, rendered.value, world);
      if (!seen.ok) return seen;
      show(seen.value, { ...world, markdown });
      const refused = refusal(seen.value);
      return refused === undefined ? ok(undefined) : failed(refused);
    } finally {
      await server.value.close();
    }
  },
});
