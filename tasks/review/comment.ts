import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';
import { ask, askForDocument, jsonIn, noAnswer } from '../runtime/http.ts';
import type { Forge } from './forge.ts';

/**
 * Shows a page on the merge request: the comment of the token's own user that begins with `mark` is written again, else
 * there is a new one. A token may have the right to edit what others wrote, which is left alone.
 */
export async function comment(forge: Forge, mark: string, page: string): Promise<Result<void, Failure>> {
  const found = await ownCommentsWith(forge, mark);
  if (!found.ok) return failed(noComment(found.failure));
  for (const id of found.value) {
    const changed = await write(forge, { id, page });
    if (!changed.ok) return failed(noComment(changed.failure));
    if (changed.value) return ok(undefined);
  }
  const written = await write(forge, { page });
  return written.ok ? ok(undefined) : failed(noComment(written.failure));
}

/** False where the comment is gone meanwhile, or may not be written. */
async function write(
  forge: Forge,
  { id, page }: { readonly id?: number; readonly page: string },
): Promise<Result<boolean, Failure>> {
  const written = await ask(id === undefined ? forge.comments : forge.comment(id), {
    method: id === undefined ? 'POST' : forge.changing,
    headers: { ...forge.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ body: page }),
    accepted: id === undefined ? [] : [403, 404],
    within: seconds,
    next,
  });
  if (!written.ok) return written;
  await written.value.body?.cancel();
  return ok(written.value.ok);
}

const noComment = (failure: Failure): Failure => ({
  ...failure,
  message: `the review could not be shown on the merge request: ${failure.message}`,
});

const seconds = 60;
const next = 'Check that the token may comment on this merge request, or leave --comment out';

async function ownCommentsWith(forge: Forge, mark: string): Promise<Result<readonly number[], Failure>> {
  const found = await commentsWith(forge, mark);
  if (!found.ok || found.value.length === 0) return found.ok ? ok([]) : found;
  const own = await ownNumber(forge);
  if (!own.ok) return own;
  return ok(found.value.filter((each) => each[forge.author]?.id === own.value).map(({ id }) => id));
}

/** The number of the user that the token belongs to. */
async function ownNumber({ identity, headers }: Forge): Promise<Result<number, Failure>> {
  const { address, body, numberIn } = identity;
  const answer = await askForDocument(address, {
    ...(body === undefined
      ? { headers }
      : { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }),
    within: seconds,
    next,
  });
  if (!answer.ok) return answer;
  const found = numberIn(jsonIn(answer.value.bytes));
  return Number.isSafeInteger(found)
    ? ok(found as number)
    : failed(noAnswer(address, 'what answers does not say whose the token is', next));
}

/** A hundred comments a page, each of a megabyte at most; a conversation of thousands gets a second comment. */
const [pages, most] = [30, 100 * 1024 * 1024];

async function commentsWith(forge: Forge, mark: string): Promise<Result<readonly ForgeComment[], Failure>> {
  const found: ForgeComment[] = [];
  for (let page = 1; page <= pages; page += 1) {
    const address = `${forge.comments}?per_page=100&page=${page}`;
    const answer = await askForDocument(address, { headers: forge.headers, most, within: seconds, next });
    if (!answer.ok) return answer;
    const comments = commentsIn(jsonIn(answer.value.bytes));
    if (comments === undefined) return failed(noAnswer(address, 'what answers sends no comments', next));
    found.push(...comments.filter(({ body }) => body?.startsWith(mark)));
    if (comments.length < 100) break;
  }
  return ok(found);
}

interface ForgeComment extends Readonly<Partial<Record<Forge['author'], ForgeUser | null>>> {
  readonly id: number;
  /** GitHub says null of one without a text. */
  readonly body: string | null;
}

interface ForgeUser {
  readonly id?: unknown;
}

const commentsIn = (answer: unknown): readonly ForgeComment[] | undefined =>
  Array.isArray(answer) && answer.every(isComment) ? answer : undefined;

const isComment = (value: unknown): value is ForgeComment => {
  const { id, body } = (value ?? {}) as Partial<ForgeComment>;
  return Number.isSafeInteger(id) && (typeof body === 'string' || body === null);
};
