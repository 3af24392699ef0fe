import { setTimeout as sleep } from 'node:timers/promises';
import type { Result } from '../../generators/result.ts';
import type { LabFailure, OnProgress } from '../machine/lab-failure.ts';

/**
 * Asks again, five times at most, while the API server hangs up before it answers: under load HAProxy gives up a control plane
 * together with the connections to it. Only for requests that are safe to repeat; every other failure is returned at once.
 * @param pause milliseconds between two requests
 */
export async function untilAnswered<Answer>(
  request: () => Promise<Result<Answer, LabFailure>>,
  tell: OnProgress,
  pause = 3000,
): Promise<Result<Answer, LabFailure>> {
  for (let left = 5; ; left -= 1) {
    const answer = await request();
    if (answer.ok || left === 0 || !hungUp.test(answer.failure.evidence)) return answer;
    tell('  the API server hung up before it answered: asked again');
    await sleep(pause);
  }
}

/** As Go's HTTP client words it at the end of a line of kubectl's. */
const hungUp = /(: EOF|connection reset by peer|http2: client connection lost)\s*$/m;
