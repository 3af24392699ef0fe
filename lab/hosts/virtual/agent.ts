import { setTimeout as wait } from 'node:timers/promises';
import { failed, ok, type Result } from '../../../generators/result.ts';
import type { ProgramFailure, ProgramOptions, ProgramOutput } from '../../../tasks/runtime/program.ts';
import { converse, type QemuMonitor, type Message } from './conversation.ts';

/** Runs a program as root in a virtual machine, by the agent inside and not by the network, which may be cut. */
export async function agentExec(
  socket: string,
  argv: readonly string[],
  { input = '', timeout = 60 }: Pick<ProgramOptions, 'input' | 'timeout'> = {},
): Promise<Result<ProgramOutput, ProgramFailure>> {
  const end = Date.now() + timeout * 1000;
  const fails = failing(argv);
  const started = await ask(socket, startOf(argv, input, timeout), timeout);
  if (started === undefined) return fails('the agent in the virtual machine does not answer');
  const pid = returnValue(started)['pid'];
  if (pid === undefined) return fails(`${argv[0] ?? ''} did not start: ${JSON.stringify(started['error'])}`);
  for (let pause = 20; ; pause = Math.min(pause * 1.5, 500)) {
    const asked = await ask(socket, { execute: 'guest-exec-status', arguments: { pid } }, 60);
    if (asked === undefined) return fails('the virtual machine has stopped answering');
    const state = returnValue(asked) as ExecState;
    if (state.exited === undefined) return fails(`nobody knows how ${argv[0] ?? ''} ended`);
    if (state.exited) return execResult(argv, state);
    if (Date.now() > end + 30_000) return fails(`${argv[0] ?? ''} did not end in time`);
    await wait(pause);
  }
}

const startOf = (argv: readonly string[], input: string, timeout: number): Message => ({
  execute: 'guest-exec',
  arguments: {
    path: 'timeout',
    arg: ['--signal=KILL', String(timeout), 'env', 'HOME=/root', ...argv],
    'capture-output': true,
    ...(input === '' ? {} : { 'input-data': Buffer.from(input).toString('base64') }),
  },
});

interface ExecState {
  readonly exited?: boolean;
  readonly exitcode?: number;
  readonly signal?: number;
  readonly 'out-data'?: string;
  readonly 'err-data'?: string;
}

function execResult(argv: readonly string[], state: ExecState): Result<ProgramOutput, ProgramFailure> {
  const [stdout, stderr] = [text(state['out-data']), text(state['err-data'])];
  if (state.exitcode === 0) return ok({ stdout, stderr });
  const status = state.exitcode ?? null;
  const name = argv[0] ?? '';
  const killed = state.signal !== undefined || status === 137;
  const message = killed
    ? `${name} was killed, or did not end in time`
    : `${name} ended with status ${status ?? ''}`;
  return failed({ argv, status, stdout, stderr, message });
}

const text = (encoded = ''): string => Buffer.from(encoded, 'base64').toString('utf8');

const returnValue = (answer: Message): Message => (answer['return'] ?? {}) as Message;

const failing =
  (argv: readonly string[]) =>
  (message: string): Result<never, ProgramFailure> =>
    failed({ argv, status: null, stdout: '', stderr: '', message });

/** Asks the agent once it listens; a command that may have reached it is never repeated. */
async function ask(socket: string, command: Message, seconds: number): Promise<Message | undefined> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const answer = await converse(socket, async (conversation) =>
      (await listens(conversation, Math.min(5, seconds)))
        ? ({ answer: await answerTo(conversation, command) } as const)
        : undefined,
    );
    if (answer !== undefined) return answer.answer;
    if (Date.now() > end) return undefined;
    await wait(200);
  }
}

async function listens({ say, hear, interrupt }: QemuMonitor, seconds: number): Promise<boolean> {
  const id = Math.floor(Math.random() * 2 ** 31);
  interrupt();
  say({ execute: 'guest-sync-delimited', arguments: { id } });
  return (await hear((message) => message['return'] === id, seconds)) !== undefined;
}

async function answerTo({ say, hear }: QemuMonitor, command: Message): Promise<Message | undefined> {
  say(command);
  return hear((message) => 'return' in message || 'error' in message, 60);
}
