import { expect, test } from 'vitest';
import { operations, ownTasks } from '../../../generators/operations/table.ts';
import { registry } from '../../../tasks/registry.ts';

test('an operation is one record, and its task and example follow from it', async () => {
  for (const operation of ownTasks) {
    const task = await registry.get(operation.name)?.();
    expect(task, operation.name).toMatchObject({ name: operation.name, example: operation.example });
  }
});

test('every name is given once, and every summary is one sentence without a full stop', () => {
  const names = operations.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { summary } of operations) expect(summary).toMatch(/^[A-Z][^\n]*[^.\s]$/);
});
