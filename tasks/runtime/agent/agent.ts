import { failed, ok, type Result } from '../../../generators/result.ts';
import { quote } from '../command.ts';
import type { Failure } from '../failures.ts';
import type { Transport } from '../transport.ts';
import { converse, conversationWith, type AgentConversation } from './conversation.ts';
import { agentLine, agentProgram } from './program.ts';
import type { Answers, Requests, ServerMessage } from './messages.ts';
import { shapes } from './shapes.ts';
import { keepSpare, takeSpare } from './spare.ts';

/** A conversation with the program on the server: one request at a time, one answer each. Close it. */
export class Agent {
  readonly #transport: Transport;
  readonly #directory: string;
  readonly #node: string;
  #process: Promise<Result<AgentConversation, Failure>> | undefined;
  #busy = false;
  #closed = false;

  /** `node`: which node of the mesh answers, the one at the transport's end being the control node; empty: that itself. */
  constructor(transport: Transport, directory: string, node = '') {
    this.#transport = transport;
    this.#directory = directory;
    this.#node = node;
  }

  get isBusy(): boolean {
    return this.#busy;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Starts the program, if it is not running yet. */
  begin(): void {
    this.#process ??= this.#start();
  }

  /** `onEvent` hears what the server tells before its answer. */
  async ask<Operation extends keyof Requests>(
    operation: Operation,
    request: Requests[Operation],
    onEvent: (event: ServerMessage) => void = () => undefined,
  ): Promise<Result<Answers[Operation], Failure>> {
    this.#busy = true;
    this.begin();
    const process = await this.#process;
    if (process?.ok !== true) return process ?? closedFailure;
    const asked = { ...request, operation, directory: this.#directory };
    const answer = await converse(process.value, {
      request: this.#node === '' ? asked : relayRequest(asked, this.#node),
      isAnswer: shapes[operation],
      onEvent,
    });
    this.#busy = false;
    if (!answer.ok && answer.failure.kind === 'connection') this.#closed = true;
    return answer as Result<Answers[Operation], Failure>;
  }

  /** Tells the request that is being answered that what it waits for has come, or never will. */
  hurry(): void {
    void this.#process?.then((process) => {
      if (process.ok) process.value.process.stdin.write('\n');
    });
  }

  /** Leaves the program to whoever talks with it next on the same connection. One that is still answering is hung up on. */
  leave(): void {
    if (this.#busy || this.#closed || this.#process === undefined) {
      this.close();
      return;
    }
    this.#closed = true;
    void this.#process.then((process) => {
      if (process.ok) keepSpare(this.#transport, this.#directory, process.value);
    });
  }

  /** Hangs up: what the server is telling ends, what it started goes on. */
  close(): void {
    this.#closed = true;
    void this.#process?.then((process) => {
      if (process.ok) process.value.process.stop();
    });
  }

  async #start(): Promise<Result<AgentConversation, Failure>> {
    const spare = takeSpare(this.#transport, this.#directory);
    if (spare !== undefined) return ok(spare);
    const process = await this.#transport.spawn(agentLine(quote(this.#directory)));
    if (!process.ok) {
      this.#closed = true;
      return process;
    }
    return ok(conversationWith(process.value, agentProgram()));
  }
}

/**
 * The control node sends the request on, with the program that answers it. Whoever starts a run follows it, keeps its record, and looks at
 * what is applied then if it says what the run changes of that.
 */
const relayRequest = (
  request: { readonly directory: string; readonly operation: keyof Requests },
  node: string,
): object => ({
  operation: 'relay',
  directory: request.directory,
  node,
  program: agentProgram().toString('base64'),
  request:
    request.operation === 'start'
      ? { ...request, then: ['follow', 'record', ...('life' in request ? ['life'] : [])] }
      : request,
});

const closedFailure = failed({
  kind: 'connection',
  message: 'The connection is closed',
  next: 'Try again',
} as const satisfies Failure);
