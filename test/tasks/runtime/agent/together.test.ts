import { expect, test } from 'vitest';
import { failed, ok, type Result } from '../../../../generators/result.ts';
import type { Agent } from '../../../../tasks/runtime/agent/agent.ts';
import { Together } from '../../../../tasks/runtime/agent/together.ts';

interface Several {
  readonly requests: readonly { readonly operation: string }[];
}

/** An agent that answers everything like this, and what it was asked. */
function answering(answer: (request: Several) => Result<unknown, unknown>): {
  readonly together: Together;
  readonly asked: Several[];
} {
  const asked: Several[] = [];
  const agent = {
    ask: (_: string, request: Several) => {
      asked.push(request);
      return Promise.resolve(answer(request));
    },
  };
  return { together: new Together(() => agent as unknown as Agent, '~/playsmith'), asked };
}

test('questions go as one when they are asked, and each has its own answer', async () => {
  const { together, asked } = answering(() =>
    ok({
      answers: [
        { done: { key: 'k' } },
        { failure: { kind: 'run', message: 'no', next: 'wait' } },
        { done: 'senseless' },
      ],
    }),
  );
  const answers = [
    together.add('sealing-key', {}),
    together.add('life', { cluster: 'edge' }),
    together.add('fitness', {}),
    together.add('fitness', {}),
  ];
  expect(asked).toEqual([]);
  together.ask();
  together.ask();
  const directory = '~/playsmith';
  expect(asked).toEqual([
    {
      requests: [
        { operation: 'sealing-key', directory },
        { operation: 'life', cluster: 'edge', directory },
        { operation: 'fitness', directory },
        { operation: 'fitness', directory },
      ],
    },
  ]);
  const [key, life, senseless, missing] = await Promise.all(answers);
  expect(key).toEqual(ok({ key: 'k' }));
  expect(life).toEqual(failed({ kind: 'run', message: 'no', next: 'wait' }));
  expect(senseless).toMatchObject({ failure: { kind: 'server', evidence: '"senseless"' } });
  expect(missing).toMatchObject({ failure: { kind: 'server', evidence: '{}' } });
});

test('what keeps them all from being asked is said of each', async () => {
  const lost = failed({ kind: 'connection', message: 'lost', next: 'again' });
  const { together } = answering(() => lost);
  const answers = [together.add('sealing-key', {}), together.add('fitness', {})];
  together.ask();
  expect(await Promise.all(answers)).toEqual([lost, lost]);
});

test('a bug of the program that answers one is thrown to who asked that', async () => {
  const { together } = answering(() => ok({ answers: [{ bug: 'Traceback' }, { done: { key: 'k' } }] }));
  const [first, second] = [together.add('fitness', {}), together.add('sealing-key', {})];
  together.ask();
  await expect(first).rejects.toThrow('Traceback');
  expect(await second).toEqual(ok({ key: 'k' }));
});
