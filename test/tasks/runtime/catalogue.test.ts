import { expect, test } from 'vitest';
import {
  catalogue,
  cataloguePage,
  codeOf,
  entryText,
  type FailureKind,
} from '../../../tasks/runtime/catalogue.ts';
import { exitCodes } from '../../../tasks/runtime/failures.ts';
import { registry } from '../../../tasks/registry.ts';

const kinds = Object.keys(catalogue) as FailureKind[];

test('every kind has a cause and a remedy, in the order of exit codes', () => {
  expect(kinds.toSorted()).toEqual([...Object.keys(exitCodes), 'bug'].toSorted());
  expect(kinds.map(codeOf)).toEqual(kinds.map(codeOf).toSorted((a, b) => a - b));
  for (const kind of kinds) {
    expect(catalogue[kind].causes.length, kind).toBeGreaterThan(0);
    expect(catalogue[kind].remedies.length, kind).toBeGreaterThan(0);
  }
});

test('every task that is recommended exists', () => {
  const named = kinds.flatMap((kind) =>
    [...entryText(kind).matchAll(/npx task ([a-z-]+)/g)].map(([, name]) => name ?? ''),
  );
  expect(named.length).toBeGreaterThan(10);
  for (const name of named) expect([...registry.keys()], name).toContain(name);
});

test('the reference page says the same', async () => {
  await expect(cataloguePage()).toMatchFileSnapshot('../../../docs/reference/failures.md');
});
