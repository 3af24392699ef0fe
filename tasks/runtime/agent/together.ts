import { failed, type Result } from '../../../generators/result.ts';
import type { Failure } from '../failures.ts';
import type { Agent } from './agent.ts';
import { resultOf, senseless, type Reply } from './conversation.ts';
import type { Answers, Requests } from './messages.ts';
import { shapes } from './shapes.ts';

type Operation = keyof Requests & keyof Answers;

interface Question {
  readonly operation: Operation;
  readonly request: object;
  readonly settle: (answer: Promise<Result<unknown, Failure>>) => void;
}

/** Questions to a node of a mesh that go there as one: each unit of work takes seconds, and processes on two nodes. */
export class Together {
  readonly #agent: () => Agent;
  readonly #directory: string;
  #waiting: Question[] = [];

  constructor(agent: () => Agent, directory: string) {
    this.#agent = agent;
    this.#directory = directory;
  }

  /** The answer once all that wait were asked; nothing goes away before that. */
  add<Word extends Operation>(
    operation: Word,
    request: Requests[Word],
  ): Promise<Result<Answers[Word], Failure>> {
    return new Promise((settle) => {
      this.#waiting.push({ operation, request, settle: settle as Question['settle'] });
    });
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Asks all that wait, if there are any. */
  ask(): void {
    const questions = this.#waiting;
    this.#waiting = [];
    if (questions.length === 0) return;
    const asked = this.#agent().ask('several', {
      requests: questions.map(({ operation, request }) => ({
        ...request,
        operation,
        directory: this.#directory,
      })),
    });
    for (const [index, { operation, settle }] of questions.entries())
      settle(asked.then((several) => answerOf(several, index, operation)));
  }
}

function answerOf(
  several: Result<Answers['several'], Failure>,
  index: number,
  operation: Operation,
): Result<unknown, Failure> {
  if (!several.ok) return several;
  const reply: Reply = several.value.answers[index] ?? {};
  return resultOf(reply, shapes[operation]) ?? failed(senseless(reply));
}
