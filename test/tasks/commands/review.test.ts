import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { review } from '../../../tasks/commands/review/review.ts';
import type { Event } from '../../../tasks/runtime/events.ts';
import { definitionOf } from '../../bench/definition.ts';
import { failure } from '../../support/server/ansible-server.ts';
import { startForge, type ForgeStandIn } from '../../support/server/forge.ts';
import { quietWorld } from '../../support/world.ts';

let here: string;
let forge: ForgeStandIn;
let reported: Event[];
beforeEach(async () => {
  here = mkdtempSync(join(tmpdir(), 'playsmith-review-'));
  forge = await startForge('right');
  reported = [];
  writeFileSync(join(here, 'event.json'), '{"pull_request": {"number": 7}}');
  const variables = {
    ...{ GITHUB_ACTIONS: 'true', GITHUB_API_URL: forge.address, GITHUB_REPOSITORY: 'ops/clusters' },
    ...{ GITHUB_EVENT_PATH: join(here, 'event.json'), GITHUB_TOKEN: 'right' },
  };
  for (const [name, text] of Object.entries(variables)) vi.stubEnv(name, text);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await forge.close();
  rmSync(here, { recursive: true });
});

const run = () => {
  const asked = { file: 'cluster.yml', output: 'playbooks', against: 'HEAD', plan: false, lint: false };
  const world = { ...quietWorld(here), report: (event: Event): void => void reported.push(event) };
  return review.run({ ...asked, comment: true, limit: 60_000 } as never, world);
};
const failures = () => reported.flatMap((event) => (event.type === 'failed' ? [event.failure.message] : []));

test.each([
  ['a definition with a fault', 'nodes: 1\n', 'definition'],
  ['a bundle that is not rendered', definitionOf(3), 'drift'],
])('what is found and what cannot be commented are told both: %s', async (_, definition, kind) => {
  writeFileSync(join(here, 'cluster.yml'), definition);
  vi.stubEnv('GITHUB_TOKEN', 'wrong');
  expect(failure(await run()).kind).toBe(kind);
  expect(failures()).toEqual([
    expect.stringContaining('the review could not be shown on the merge request: '),
  ]);
  expect(forge.comments).toEqual([]);
});

test('what is found is told alone where the comment was written', async () => {
  writeFileSync(join(here, 'cluster.yml'), 'nodes: 1\n');
  expect(failure(await run()).kind).toBe('definition');
  expect([failures(), forge.comments.length]).toEqual([[], 1]);
});
