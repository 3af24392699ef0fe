import { createInterface } from 'node:readline';
import { failed, ok, type Result } from '../../../generators/result.ts';
import { quote } from '../command.ts';
import type { Failure } from '../failures.ts';
import { printable } from '../printable.ts';
import type { RemoteProcess, Transport } from '../transport.ts';
import { agentLine, agentProgram } from './program.ts';
import type { Answers, Requests, ServerMessage } from './messages.ts';
import { isFailure, isTold, shapes } from './shapes.ts';

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
      request: this.#node === '' ? asked : relayed(asked, this.#node),
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

  /** Hangs up: what the server is telling ends, what it started goes on. */
  close(): void {
    this.#closed = true;
    void this.#process?.then((process) => {
      if (process.ok) process.value.process.stop();
    });
  }

  async #start(): Promise<Result<AgentConversation, Failure>> {
    const process = await this.#transport.spawn(agentLine(quote(this.#directory)));
    if (!process.ok) {
      this.#closed = true;
      return process;
    }
    const { stdin, stdout } = process.value;
    stdin.on('error', () => undefined);
    stdin.write(agentProgram());
    const lines = createInterface({ input: stdout });
    // Of a stream that is destroyed, the reader would never hear an end.
    stdout.once('close', () => {
      lines.close();
    });
    return ok({ process: process.value, lines: lines[Symbol.asyncIterator]() });
  }
}

/** The control node sends the request on, with the program that answers it. Whoever starts a run follows it, and keeps its record. */
const relayed = (
  request: { readonly directory: string; readonly operation: keyof Requests },
  node: string,
): object => ({
  operation: 'relay',
  directory: request.directory,
  node,
  program: agentProgram().toString('base64'),
  request: request.operation === 'start' ? { ...request, then: ['follow', 'record'] } : request,
});

interface AgentConversation {
  readonly process: RemoteProcess;
  readonly lines: AsyncIterator<string>;
}

const closedFailure = failed({
  kind: 'connection',
  message: 'The connection is closed',
  next: 'Try again',
} as const satisfies Failure);

async function converse(
  { process, lines }: AgentConversation,
  {
    request,
    isAnswer,
    onEvent,
  }: {
    readonly request: object;
    readonly isAnswer: (value: unknown) => boolean;
    readonly onEvent: (event: ServerMessage) => void;
  },
): Promise<Result<unknown, Failure>> {
  process.stdin.write(`${JSON.stringify(request)}\n`);
  for (;;) {
    const line = await lines.next();
    if (line.done === true) return failed(await whyItEnded(process));
    const reply = parse(line.value);
    if (isTold(reply.event)) onEvent(reply.event as ServerMessage);
    if (reply.bug !== undefined) throw new Error(`the agent on the server failed:\n${reply.bug}`);
    if (reply.failure !== undefined)
      return failed(isFailure(reply.failure) ? (reply.failure as Failure) : senseless(reply.failure));
    if (reply.done !== undefined)
      return isAnswer(reply.done) ? ok(reply.done) : failed(senseless(reply.done));
  }
}

/** Whoever answers so is not what Playsmith sent, or of another version. */
const senseless = (answer: unknown): Failure => ({
  kind: 'server',
  message: 'The Ansible server answers what makes no sense; nothing was done with it',
  evidence: JSON.stringify(answer).slice(0, 500),
  next: 'Look at what answers there: it is not what Playsmith sent',
});

interface Reply {
  readonly event?: unknown;
  readonly done?: unknown;
  readonly failure?: unknown;
  readonly bug?: string;
}

/** What a login shell prints of its own is no reply. What a terminal would obey is stripped from every text and name. */
function parse(line: string): Reply {
  if (!line.startsWith('{')) return {};
  try {
    return JSON.parse(line, (_, value: unknown) => stripped(value)) as Reply;
  } catch {
    return {};
  }
}

function stripped(value: unknown): unknown {
  if (typeof value === 'string') return printable(value);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [printable(key), each as unknown]));
}

async function whyItEnded(process: RemoteProcess): Promise<Failure> {
  const ending = await process.ended;
  if (!ending.ok) return ending.failure;
  const { status, stderr } = ending.value;
  const evidence = printable(stderr).trim();
  if (status === 127 || status === 126)
    return {
      kind: 'server',
      message: 'No working Python 3 on the Ansible server',
      evidence,
      next: 'Run `npx task bootstrap`',
    };
  return {
    kind: 'server',
    message: `The program that Playsmith starts on the Ansible server ended (${status === null ? 'by a signal' : `status ${status}`})`,
    evidence,
    next: 'Run `npx task doctor`',
  };
}
