import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { comment } from '../../tasks/review/comment.ts';
import { forgeOf } from '../../tasks/review/forge.ts';
import { startForge, type ForgeStandIn } from '../support/server/forge.ts';
import { failure, value } from '../support/server/ansible-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'playsmith-forge-'));
let forge: ForgeStandIn;
beforeEach(async () => {
  forge = await startForge('right');
});
afterEach(() => forge.close());
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** What a job of GitHub has about pull request 7. */
function gitHub(event: unknown = { pull_request: { number: 7 } }): Readonly<Record<string, string>> {
  const path = join(folder, 'event.json');
  writeFileSync(path, JSON.stringify(event));
  return {
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: forge.address,
    GITHUB_REPOSITORY: 'ops/clusters',
    GITHUB_EVENT_PATH: path,
    GITHUB_TOKEN: 'right',
  };
}

/** What a job of GitLab has about merge request 7. */
const gitLab = (): Readonly<Record<string, string>> => ({
  GITLAB_CI: 'true',
  CI_API_V4_URL: forge.address,
  CI_PROJECT_ID: '3',
  CI_MERGE_REQUEST_IID: '7',
  PLAYSMITH_COMMENT_TOKEN: 'right',
});

const mark = '<!-- mark -->';
const places = [
  [
    'GitHub',
    gitHub,
    '/repos/ops/clusters/issues/7/comments',
    'PATCH /repos/ops/clusters/issues/comments/',
    'POST /graphql',
  ],
  [
    'GitLab',
    gitLab,
    '/projects/3/merge_requests/7/notes',
    'PUT /projects/3/merge_requests/7/notes/',
    'GET /user',
  ],
] as const;

describe.each(places)('a review on a merge request of %s', (_, variables, comments, changing, whose) => {
  const show = async (page: string, more = {}): Promise<ReturnType<typeof comment>> =>
    comment(value(await forgeOf({ ...variables(), ...more })), mark, `${mark}\n${page}`);

  test('is one comment, written again each time', async () => {
    value(await show('first'));
    value(await show('second'));
    expect(forge.comments.map(({ body }) => body)).toEqual([`${mark}\nsecond`]);
    const asked = `GET ${comments}?per_page=100&page=1`;
    expect(forge.log).toEqual([asked, `POST ${comments}`, asked, whose, `${changing}1000`]);
  });

  test('is found behind a hundred comments of others, and leaves them alone', async () => {
    for (let id = 1; id <= 150; id += 1) forge.comments.push({ id, body: `a person, ${id}` });
    forge.comments.push({ id: 500, body: `${mark}\nold` });
    value(await show('new'));
    expect(forge.comments).toHaveLength(151);
    expect(forge.comments.at(-1)).toEqual({ id: 500, body: `${mark}\nnew` });
  });

  test('is not that of somebody else who began one with the same words', async () => {
    forge.comments.push({ id: 3, body: `${mark}\nall is well` });
    forge.foreign.add(3);
    value(await show('first'));
    value(await show('second'));
    expect(forge.comments.map(({ body }) => body)).toEqual([`${mark}\nall is well`, `${mark}\nsecond`]);
  });

  test.each([7, 0])('is not that of user %d, even where the token may edit it', async (by) => {
    forge.comments.push({ id: 3, body: `${mark}\nall is well`, by });
    value(await show('first'));
    value(await show('second'));
    expect(forge.comments.map(({ body }) => body)).toEqual([`${mark}\nall is well`, `${mark}\nsecond`]);
    expect(forge.log).not.toContain(`${changing}3`);
  });

  test.each([[{}], [null], [{ data: { viewer: null } }], [{ errors: [{ message: 'no' }] }], ['x']])(
    'is not written where nobody says whose the token is: %j',
    async (identity) => {
      forge.comments.push({ id: 3, body: `${mark}\nold` });
      forge.identity = identity;
      expect(failure(await show('page')).message).toContain('does not say whose the token is');
      expect(forge.comments.map(({ body }) => body)).toEqual([`${mark}\nold`]);
    },
  );

  test('that may not be written says what the token lacks, and shows no token', async () => {
    const refused = failure(await show('page', { GITHUB_TOKEN: 'wrong', PLAYSMITH_COMMENT_TOKEN: 'wrong' }));
    expect(refused).toMatchObject({ kind: 'connection' });
    expect(refused.message).toContain('could not be shown on the merge request');
    expect(refused.message).toContain('status 403');
    expect(JSON.stringify(refused)).not.toContain('wrong');
    expect(forge.comments).toEqual([]);
  });

  test('is not tried without a token', async () => {
    const lacking = failure(await forgeOf({ ...variables(), GITHUB_TOKEN: '', PLAYSMITH_COMMENT_TOKEN: '' }));
    expect(lacking.kind).toBe('usage');
  });
});

test.each([
  ['no pipeline', () => ({})],
  ['a push to GitHub', () => gitHub({ ref: 'refs/heads/main' })],
  ['an event that is none', () => ({ ...gitHub(), GITHUB_EVENT_PATH: join(folder, 'none') })],
  ['a number that is none', () => gitHub({ pull_request: { number: '7/../8' } })],
  ['a pipeline of a branch of GitLab', () => ({ ...gitLab(), CI_MERGE_REQUEST_IID: '' })],
])('%s has no merge request to comment on', async (_, variables) => {
  expect(failure(await forgeOf(variables())).message).toMatch(/comment on$/);
});

test('an answer that is no list of comments is a failure, not a second comment', async () => {
  const odd = { ...value(await forgeOf(gitLab())), comments: `${forge.address}/notes` };
  forge.comments.push({ id: 1.5, body: 'x' });
  expect(failure(await comment(odd, mark, mark)).message).toContain('sends no comments');
  expect(forge.log).toHaveLength(1);
});
