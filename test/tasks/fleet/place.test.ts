import { expect, test } from 'vitest';
import { fleetPlace } from '../../../tasks/fleet/place.ts';
import { quietWorld } from '../../support/world.ts';

test('where there is no definition of a fleet it is said where one stands, since init writes none', async () => {
  const choice = { names: [], sites: [], labels: [] };
  expect(await fleetPlace('fleet.yml', choice, quietWorld('/nowhere'))).toEqual({
    ok: false,
    failure: {
      kind: 'file',
      message: 'cannot read the definition fleet.yml: there is no such file',
      next: 'docs/fleet.md and examples/fleet.yml show one; --file names another',
    },
  });
});
