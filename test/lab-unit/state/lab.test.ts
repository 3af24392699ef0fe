import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { place } from '../../../lab/machine/place.ts';
import { adviceFor, openLab } from '../../../lab/state/lab.ts';

test.each([
  [undefined, 'There is no lab named lab', 'Make one: npx task lab up'],
  ['edge-a', 'There is no lab named edge-a', 'Make one: npx task lab up --name edge-a'],
  ['a; b', 'There is no lab named a; b', "Make one: npx task lab up --name 'a; b'"],
])('a lab that is not there, %s, is advised to be made by its own name', async (name, message, next) => {
  const empty = place({ PLAYSMITH_CACHE: mkdtempSync(join(tmpdir(), 'lab-')) });
  expect(await openLab(name, empty)).toMatchObject({ ok: false, failure: { message, next } });
});

test.each([
  [
    'lab',
    'Remove the lab and create it again: npx task lab down',
    'Remove the lab and create it again: npx task lab down',
  ],
  [
    'edge',
    'Remove the lab and create it again: npx task lab down',
    'Remove the lab and create it again: npx task lab down --name edge',
  ],
  ['edge', 'npx task lab status; npx task logs', 'npx task lab status --name edge; npx task logs'],
  ['edge', 'Look at one: npx task lab ssh cp1', 'Look at one: npx task lab ssh --name edge cp1'],
  ['edge', 'Make one: npx task lab up --name edge', 'Make one: npx task lab up --name edge'],
])('advice about the lab %s names it: %s', (name, text, advice) => {
  expect(adviceFor(name, text)).toBe(advice);
});
