import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { place } from '../../../lab/machine/place.ts';
import { openLab } from '../../../lab/state/lab.ts';

test.each([
  [undefined, 'There is no lab named lab', 'Make one: npx task lab up'],
  ['edge-a', 'There is no lab named edge-a', 'Make one: npx task lab up --name edge-a'],
  ['a; b', 'There is no lab named a; b', "Make one: npx task lab up --name 'a; b'"],
])('a lab that is not there, %s, is advised to be made by its own name', async (name, message, next) => {
  const empty = place({ PLAYSMITH_CACHE: mkdtempSync(join(tmpdir(), 'lab-')) });
  expect(await openLab(name, empty)).toMatchObject({ ok: false, failure: { message, next } });
});
