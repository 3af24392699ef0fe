import { expect, test } from 'vitest';
import { failed, ok, type Result } from '../../../generators/result.ts';
import { untilAnswered } from '../../../lab/client/until-answered.ts';
import type { LabFailure } from '../../../lab/machine/lab-failure.ts';

/** As a client told it on a busy machine. */
const eof =
  'error: error when creating "STDIN": Post "https://10.77.1.100:6440/apis/apps/v1/namespaces/default/deployments?fieldManager=kubectl": EOF';
const refusal = 'Error from server (Forbidden): error when creating "STDIN": deployments.apps is forbidden';

const failure = (evidence: string): Result<string, LabFailure> =>
  failed({ kind: 'lab', message: 'runuser on client: podman ended with status 1', evidence, next: '' });

/** How many requests were made, and what was returned, of a server that gives these answers and then repeats the last. */
async function asked(...answers: readonly Result<string, LabFailure>[]) {
  let requests = 0;
  const told: string[] = [];
  const request = () => Promise.resolve(answers[Math.min(requests++, answers.length - 1)] ?? ok(''));
  const answer = await untilAnswered(request, (text) => told.push(text), 0);
  return { answer, requests, told: told.length };
}

const made = ok('deployment.apps/echo created');

test.each([
  ['an answer', [made], { answer: made, requests: 1, told: 0 }],
  ['a server that hangs up once', [failure(eof), made], { answer: made, requests: 2, told: 1 }],
  [
    'a connection that is reset, among other lines',
    [failure('read tcp 10.77.1.9:4->10.77.1.100:6440: read: connection reset by peer\n'), made],
    { answer: made, requests: 2, told: 1 },
  ],
  ['a refusal', [failure(refusal), made], { answer: failure(refusal), requests: 1, told: 0 }],
  ['a server that hangs up for ever', [failure(eof)], { answer: failure(eof), requests: 6, told: 5 }],
] as const)('%s', async (_, answers, expected) => {
  expect(await asked(...answers)).toEqual(expected);
});
