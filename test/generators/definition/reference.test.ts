import { expect, test } from 'vitest';
import { jsonSchema } from '../../../generators/definition/json-schema.ts';
import {
  fleetReferencePage,
  osaReferencePage,
  referencePage,
} from '../../../generators/definition/reference-page.ts';

// Write both anew with: npm run goldens
test('the committed reference page is the generated one', async () => {
  await expect(referencePage()).toMatchFileSnapshot('../../../docs/reference/definition.md');
});

test('the committed reference page of OpenStackAnsibleMagnum is the generated one', async () => {
  await expect(osaReferencePage()).toMatchFileSnapshot('../../../docs/reference/openstack-ansible-magnum.md');
});

test('the committed reference page of Fleet is the generated one', async () => {
  await expect(fleetReferencePage()).toMatchFileSnapshot('../../../docs/reference/fleet.md');
});

test('the committed JSON Schema of Fleet is the generated one', async () => {
  await expect(`${JSON.stringify(jsonSchema('Fleet'), null, 2)}\n`).toMatchFileSnapshot(
    '../../../schema/fleet.schema.json',
  );
});

test('the committed JSON Schema of OpenStackAnsibleMagnum is the generated one', async () => {
  const text = JSON.stringify(jsonSchema('OpenStackAnsibleMagnum'), null, 2);
  await expect(`${text}\n`).toMatchFileSnapshot('../../../schema/openstack-ansible-magnum.schema.json');
});

test('the committed JSON Schema is the generated one', async () => {
  await expect(`${JSON.stringify(jsonSchema(), null, 2)}\n`).toMatchFileSnapshot(
    '../../../schema/cluster.schema.json',
  );
});
