import { createRequire } from 'node:module';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import type { Options, ProcessOutput } from 'zx/core';
import { failed, ok, type Result } from '../../generators/result.ts';
import { quote } from './command.ts';
import { endOf } from './transport.ts';

export interface ProgramOptions {
  readonly cwd?: string;
  /** Added to this process's environment; what is undefined is taken out of it. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Standard input; empty when left out, so that no program waits for a person. */
  readonly input?: string;
  /** Seconds until the program and its children are killed; 60 when left out. */
  readonly timeout?: number;
  /** Told each line of standard output and standard error as it comes. */
  readonly onLine?: (line: string) => void;
}

export interface ProgramOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** What a local program said before it failed; `status` is null when it never started, was killed or ran out of time. */
export interface ProgramFailure extends ProgramOutput {
  readonly argv: readonly string[];
  readonly status: number | null;
  /** One line: which program, and how it ended. */
  readonly message: string;
}

/** Runs a local program to its end, by its words and never by a line of shell, with zx, which is imported only here. */
export async function program(
  argv: readonly string[],
  options: ProgramOptions = {},
): Promise<Result<ProgramOutput, ProgramFailure>> {
  const { input = '', timeout = 60, onLine } = options;
  const started = Date.now();
  const { $ } = zx();
  const running = $(settings(options))`${argv}`;
  // A program may end without reading what it is given; its status says what that means.
  if (input !== '') running.stdin.on('error', () => undefined);
  if (onLine) tellLines(running.stdout, onLine);
  if (onLine) tellLines(running.stderr, onLine);
  const output = await running;
  const { stdout, stderr } = output;
  if (output.exitCode === 0) return ok({ stdout, stderr });
  const timedOut = output.signal === 'SIGKILL' && Date.now() - started >= timeout * 1000;
  return failed({ argv, status: output.exitCode, stdout, stderr, message: ending(argv, output, timedOut) });
}

/** Loaded when the first program starts: most tasks start none, and it takes as long as a definition. */
const zx = (): typeof import('zx/core') => load('zx/core') as typeof import('zx/core');

const load = createRequire(import.meta.url);

function settings({ cwd, env = {}, input = '', timeout = 60 }: ProgramOptions): Partial<Options> {
  return {
    ...(cwd === undefined ? {} : { cwd }),
    ...(input === '' ? {} : { input }),
    env: { ...process.env, ...env },
    stdio: [input === '' ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...silent,
    timeout: `${Math.ceil(timeout * 1000)}ms`,
    timeoutSignal: 'SIGKILL',
  };
}

/** A program that runs until it is released, or this process ends, because its standard input ends then. */
export interface HeldProgram {
  readonly release: () => Promise<void>;
}

/** Starts a program that says a first word when it is ready; undefined when it ends instead. */
export async function holdProgram(argv: readonly string[]): Promise<HeldProgram | undefined> {
  const { $ } = zx();
  const running = $(silent)`${argv}`;
  const ready = new Promise<boolean>((resolve) => {
    running.stdout.once('data', () => {
      resolve(true);
    });
  });
  if (!(await Promise.race([ready, running.then(() => false)]))) return undefined;
  const release = async (): Promise<void> => {
    running.stdin.end();
    await running;
  };
  return { release };
}

/** Gives a program this process's terminal until it ends; its exit status, or null when a signal ended it. */
export async function interact(argv: readonly string[]): Promise<number | null> {
  const { $ } = zx();
  const { exitCode } = await $({ ...silent, stdio: 'inherit' })`${argv}`;
  return exitCode;
}

/** A line of shell that runs while others write to it and read from it. */
export interface Conversation {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Its exit status, or null when a signal ended it, and the end of its standard error. */
  readonly ended: Promise<{ readonly status: number | null; readonly stderr: string }>;
  readonly stop: () => void;
}

/** Starts a line of POSIX shell in a process group of its own, as sshd would: Ctrl-C is for this program alone. */
export function converse(line: string, cwd: string): Conversation {
  const store = { stdout: forgetful(), stderr: forgetful(), stdall: forgetful() };
  const { $ } = zx();
  const running = $({ ...silent, prefix: '', detached: true, cwd, store })(
    Object.assign([line], { raw: [line] }),
  );
  const { child, stdin, stdout } = running;
  const stderr = endOf(running.stderr);
  stdin.on('error', () => undefined);
  return {
    stdin,
    stdout,
    ended: running.then(({ exitCode, cause }) => {
      if (cause) throw cause;
      return { status: exitCode, stderr: stderr() };
    }),
    stop: () => {
      stdin.destroy();
      stdout.destroy();
      child?.kill('SIGHUP');
    },
  };
}

/** zx would keep everything that a program says; what somebody reads as it comes may be more than memory holds. */
const forgetful = (): string[] => Object.assign([], { push: () => 0 });

/** zx starts programs by a shell: by the one that every machine has, which the program then takes the place of. */
const silent: Partial<Options> = {
  ...{ nothrow: true, quiet: true, verbose: false },
  ...{ shell: '/bin/sh', prefix: 'exec ', quote },
};

/** The last lines of what a program said, standard error first choice: evidence for a failure. */
export const lastLines = ({ stdout, stderr }: ProgramOutput, count = 12): string =>
  (stderr.trim() === '' ? stdout : stderr).trimEnd().split('\n').slice(-count).join('\n');

function ending(
  argv: readonly string[],
  { exitCode, signal, stderr, cause }: ProcessOutput,
  timedOut: boolean,
): string {
  const name = argv[0] ?? '';
  if (timedOut) return `${name} did not end in time`;
  if (signal !== null) return `${name} was ended by ${signal}`;
  if (cause) return `${name} could not be started: ${cause.message}`;
  const isMissing = exitCode === 127 && stderr.trimEnd().endsWith(`exec: ${name}: not found`);
  return isMissing ? `${name} is not installed` : `${name} ended with status ${exitCode ?? 'unknown'}`;
}

function tellLines(stream: NodeJS.ReadableStream, tell: (line: string) => void): void {
  let rest = '';
  stream.on('data', (chunk: Buffer | string) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(tell);
  });
  stream.on('end', () => {
    if (rest !== '') tell(rest);
  });
}
