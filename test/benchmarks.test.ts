import { expect, test } from 'vitest';
import { start } from './bench/start.ts';

// Whether the parts of `npm run bench` still run; how long they take is for a quiet machine to say.
test('start measures every command', async () => {
  const figures = await start({ repetitions: 1, say: () => undefined });
  expect(figures.map(({ name }) => name)).toContain('start: npx task --help');
  for (const { name, value } of figures) expect(value, name).toBeGreaterThan(0);
});
