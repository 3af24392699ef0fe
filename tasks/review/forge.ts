import { readFile } from 'node:fs/promises';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';

/** Where comments of one merge request are read and written. */
export interface Forge {
  /** Comments of the merge request, a page by `&page=`; new ones are posted here, too. */
  readonly comments: string;
  /** A comment that is there already. */
  readonly comment: (id: number) => string;
  readonly changing: 'PATCH' | 'PUT';
  /** What a comment calls who wrote it. */
  readonly author: 'user' | 'author';
  /** Who the token is. */
  readonly identity: ForgeIdentity;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ForgeIdentity {
  readonly address: string;
  /** What is posted there; undefined: it is only fetched. */
  readonly body?: string;
  /** The user's number in the answer, as in `author` of comments. */
  readonly numberIn: (answer: unknown) => unknown;
}

/** Variables that hold a right to write: no program that a review starts has them. */
export const forgeVariables = ['GITHUB_TOKEN', 'GH_TOKEN', 'PLAYSMITH_COMMENT_TOKEN'] as const;

type Variables = Readonly<Record<string, string | undefined>>;

/** The merge request that a pipeline of GitHub or GitLab is about, by the variables that these set. */
export async function forgeOf(env: Variables): Promise<Result<Forge, Failure>> {
  if (env['GITHUB_ACTIONS'] === 'true') return gitHub(env);
  if (env['GITLAB_CI'] === 'true') return gitLab(env);
  return failed({
    kind: 'usage',
    message: 'this is no pipeline of GitHub or GitLab, so there is no merge request to comment on',
    next: 'leave --comment out: what is printed is the same',
  });
}

async function gitHub(env: Variables): Promise<Result<Forge, Failure>> {
  const { GITHUB_API_URL: api, GITHUB_REPOSITORY: repository, GITHUB_TOKEN: token } = env;
  const number = await pullRequestIn(env['GITHUB_EVENT_PATH']);
  if (number === undefined) return failed(noRequest('a pull request', 'on: pull_request'));
  if (!api || !repository || !token) return failed(noToken('GITHUB_TOKEN', 'pull-requests: write'));
  const issues = `${api}/repos/${repository}/issues`;
  return ok({
    comments: `${issues}/${number}/comments`,
    comment: (id) => `${issues}/comments/${id}`,
    changing: 'PATCH',
    author: 'user',
    identity: {
      // The API of GitHub tells apps, like that of a pipeline, in no other way who they are.
      address: env['GITHUB_GRAPHQL_URL'] ?? `${api.replace(/\/v3$/, '')}/graphql`,
      body: JSON.stringify({ query: '{ viewer { databaseId } }' }),
      numberIn: (answer) =>
        (answer as { data?: { viewer?: { databaseId?: unknown } } } | null)?.data?.viewer?.databaseId,
    },
    headers: { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' },
  });
}

/** The number of the pull request in the file that tells of the event. */
async function pullRequestIn(path = ''): Promise<number | undefined> {
  try {
    const event = JSON.parse(await readFile(path, 'utf8')) as { pull_request?: { number?: unknown } };
    const number = event.pull_request?.number;
    return Number.isSafeInteger(number) ? (number as number) : undefined;
  } catch {
    return undefined;
  }
}

function gitLab(env: Variables): Result<Forge, Failure> {
  const { CI_API_V4_URL: api, CI_PROJECT_ID: project, CI_MERGE_REQUEST_IID: number } = env;
  const token = env['PLAYSMITH_COMMENT_TOKEN'];
  if (!number) return failed(noRequest('a merge request', 'CI_PIPELINE_SOURCE == "merge_request_event"'));
  if (!api || !project || !token) return failed(noToken('PLAYSMITH_COMMENT_TOKEN', 'scope api'));
  const notes = `${api}/projects/${project}/merge_requests/${number}/notes`;
  return ok({
    comments: notes,
    comment: (id) => `${notes}/${id}`,
    changing: 'PUT',
    author: 'author',
    identity: { address: `${api}/user`, numberIn: (answer) => (answer as { id?: unknown } | null)?.id },
    headers: { 'private-token': token },
  });
}

const noRequest = (what: string, when: string): Failure => ({
  kind: 'usage',
  message: `this pipeline is not about ${what}, so there is nothing to comment on`,
  next: `use --comment only in pipelines of ${what} (${when})`,
});

const noToken = (name: string, right: string): Failure => ({
  kind: 'usage',
  message: `--comment needs ${name}, with the right to comment (${right}), and the variables that the pipeline sets`,
  next: 'set it, or leave --comment out: what is printed is the same',
});
