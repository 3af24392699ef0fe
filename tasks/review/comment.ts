import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';
import { ask, noAnswer } from '../runtime/http.ts';
import type { Forge } from './forge.ts';

/** Shows a page on the merge request: the comment that begins with `mark` is written again, else there is a new one. */
export async function comment(forge: Forge, mark: string, page: string): Promise<Result<void, Failure>> {
  const found = await commentWith(forge, mark);
  if (!found.ok) return failed(noComment(found.failure));
  const id = found.value;
  const written = await ask(id === undefined ? forge.comments : forge.comment(id), {
    method: id === undefined ? 'POST' : forge.changing,
    headers: { ...forge.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ body: page }),
    within: seconds,
    next,
  });
  if (!written.ok) return failed(noComment(written.failure));
  await written.value.body?.cancel();
  return ok(undefined);
}

const noComment = (failure: Failure): Failure => ({
  ...failure,
  message: `the review could not be shown on the merge request: ${failure.message}`,
});

const seconds = 60;
const next = 'Check that the token may comment on this merge request, or leave --comment out';

/** A hundred comments a page; a conversation of thousands gets a second comment. */
const pages = 30;

async function commentWith(forge: Forge, mark: string): Promise<Result<number | undefined, Failure>> {
  for (let page = 1; page <= pages; page += 1) {
    const address = `${forge.comments}?per_page=100&page=${page}`;
    const answer = await ask(address, { headers: forge.headers, within: seconds, next });
    if (!answer.ok) return answer;
    const comments = commentsIn(await answer.value.json().catch(() => undefined));
    if (comments === undefined) return failed(noAnswer(address, 'what answers sends no comments', next));
    const ours = comments.find(({ body }) => body?.startsWith(mark));
    if (ours !== undefined || comments.length < 100) return ok(ours?.id);
  }
  return ok(undefined);
}

interface Comment {
  readonly id: number;
  /** GitHub says null of one without a text. */
  readonly body: string | null;
}

const commentsIn = (answer: unknown): readonly Comment[] | undefined =>
  Array.isArray(answer) && answer.every(isComment) ? answer : undefined;

const isComment = (value: unknown): value is Comment => {
  const { id, body } = (value ?? {}) as Partial<Comment>;
  return Number.isSafeInteger(id) && (typeof body === 'string' || body === null);
};
