import { expect, test } from 'vitest';
import { jsonSchema } from '../../../generators/definition/json-schema.ts';
import { referencePage } from '../../../generators/definition/reference-page.ts';

// Write both anew with: npm run goldens
test('the committed reference page is the generated one', async () => {
  await expect(referencePage()).toMatchFileSnapshot('../../../docs/reference/definition.md');
});

test('the committed JSON Schema is the generated one', async () => {
  await expect(`${JSON.stringify(jsonSchema(), null, 2)}\n`).toMatchFileSnapshot(
    '../../../schema/cluster.schema.json',
  );
});
