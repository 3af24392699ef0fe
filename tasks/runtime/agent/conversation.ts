import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { failed, ok, type Result } from '../../../generators/result.ts';
import { longest } from '../../../generators/shape.ts';
import type { Failure } from '../failures.ts';
import { printable } from '../printable.ts';
import { endless, somethingElse, type RemoteProcess } from '../transport.ts';
import { began } from './program.ts';
import type { ServerMessage } from './messages.ts';
import { isFailure, isTold } from './shapes.ts';

/** With a program on the server, line by line. */
export interface AgentConversation {
  readonly process: RemoteProcess;
  readonly lines: AsyncIterator<string>;
  /** Its program says nothing more. */
  isOver: boolean;
  /** A line came that had no end. */
  isEndless: boolean;
  /** Nothing came in time. */
  isSilent: boolean;
  /** What came before our own line was run; undefined: it is. */
  before: string | undefined;
}

/** A program that reads and says nothing would be waited for without an end. */
function watchSilence(conversation: AgentConversation, stop: () => void): void {
  const timer = setTimeout(() => {
    if (conversation.before === undefined) return;
    conversation.isSilent = true;
    stop();
  }, patience);
  const { stdout } = conversation.process;
  stdout.once('close', () => {
    clearTimeout(timer);
  });
}

/** Milliseconds until a shell has to have begun. */
const patience = 60_000;

/** A line is kept until it ends: one that does not would fill the memory. */
function watchLength(stream: Readable, tooLong: () => void): void {
  let length = 0;
  stream.on('data', (chunk: Buffer) => {
    const end = chunk.lastIndexOf(10);
    length = end < 0 ? length + chunk.length : chunk.length - end - 1;
    if (length > 2 * longest) tooLong();
  });
}

/** Sends the program that is to be talked with. */
export function conversationWith(process: RemoteProcess, program: Buffer): AgentConversation {
  const { stdin, stdout } = process;
  stdin.on('error', () => undefined);
  stdin.write(program);
  const lines = createInterface({ input: stdout });
  // Of a stream that is destroyed, the reader would never hear an end.
  stdout.once('close', () => {
    conversation.isOver = true;
    lines.close();
  });
  const conversation: AgentConversation = {
    process,
    lines: lines[Symbol.asyncIterator](),
    isOver: false,
    isEndless: false,
    isSilent: false,
    before: '',
  };
  const stop = (): void => {
    lines.close();
    process.stop();
  };
  watchSilence(conversation, stop);
  watchLength(stdout, () => {
    conversation.isEndless = true;
    stop();
  });
  return conversation;
}

const server = 'The Ansible server';

/** Characters that are kept of what a login says. */
const mostBefore = 10_000;

/** One request, and its answer once that is what it should be. */
export async function converse(
  conversation: AgentConversation,
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
  const { process, lines } = conversation;
  process.stdin.write(`${JSON.stringify(request)}\n`);
  for (;;) {
    const line = await lines.next();
    if (line.done === true) return failed(await whyItEnded(conversation));
    // A login shell may have said something without an end of its line.
    if (line.value.endsWith(began)) conversation.before = undefined;
    else if (conversation.before !== undefined)
      conversation.before = `${conversation.before}${line.value}\n`.slice(0, mostBefore);
    const reply = parse(line.value);
    if (isTold(reply.event)) onEvent(reply.event as ServerMessage);
    const result = resultOf(reply, isAnswer);
    if (result !== undefined) return result;
  }
}

/** What a reply says of its request; undefined: nothing yet. Throws on a bug of the program. */
export function resultOf(
  { done, failure, bug }: Reply,
  isAnswer: (value: unknown) => boolean,
): Result<unknown, Failure> | undefined {
  if (bug !== undefined) throw new Error(`the agent on the server failed:\n${bug}`);
  if (failure !== undefined) return failed(isFailure(failure) ? (failure as Failure) : senseless(failure));
  if (done === undefined) return undefined;
  return isAnswer(done) ? ok(done) : failed(senseless(done));
}

/** Whoever answers so is not what Playsmith sent, or of another version. */
export const senseless = (answer: unknown): Failure => ({
  kind: 'server',
  message: 'The Ansible server answers what makes no sense; nothing was done with it',
  evidence: JSON.stringify(answer).slice(0, 500),
  next: 'Look at what answers there: it is not what Playsmith sent',
});

export interface Reply {
  readonly event?: unknown;
  readonly done?: unknown;
  readonly failure?: unknown;
  readonly bug?: string;
}

/** What a login shell prints of its own is no reply. What a terminal would obey is stripped from every text and name. */
function parse(line: string): Reply {
  if (!line.startsWith('{')) return {};
  try {
    return JSON.parse(line, (_, value: unknown) => stripControls(value)) as Reply;
  } catch {
    return {};
  }
}

function stripControls(value: unknown): unknown {
  if (typeof value === 'string') return printable(value);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [printable(key), each as unknown]));
}

async function whyItEnded({ process, isEndless, isSilent, before }: AgentConversation): Promise<Failure> {
  // Whoever answers like this may not let go either.
  if (isEndless) return endless(server);
  if (isSilent) return somethingElse(server, printable(before ?? ''));
  const ending = await process.ended;
  if (!ending.ok) return ending.failure;
  const { status, stderr } = ending.value;
  if (before !== undefined) return somethingElse(server, printable(before + stderr));
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
